// Moved; for kernels outside the tree.
#pragma once

#include "kernels/uot/timed/column_sums.hpp"

#pragma message("moved: include kernels/uot/timed/column_sums.hpp")
