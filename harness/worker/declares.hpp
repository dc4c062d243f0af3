// Moved; this line stays for kernels outside the tree.
#pragma once

#include "harness/worker/kernel_traits.hpp"
