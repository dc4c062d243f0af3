// Moved; for kernels outside the tree.
#pragma once

#include "kernels/uot/timed/column_sums.hpp"

#pragma message("kernels/uot/parts/column_sums.hpp is deprecated: include <uotbench/uot.hpp>")
