// Moved; for kernels outside the tree.
#pragma once

#include "kernels/uot/timed/ranks/over_ranks.hpp"

#pragma message("kernels/uot/parts/ranks/over_ranks.hpp is deprecated: include <uotbench/ranks.hpp>")
