// Moved; this line stays for kernels outside the tree.
#pragma once

#include "kernels/uot/timed/column_sums.hpp"
