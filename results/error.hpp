// Moved; this line stays for kernels outside the tree.
#pragma once

#include "results/base/error.hpp"
