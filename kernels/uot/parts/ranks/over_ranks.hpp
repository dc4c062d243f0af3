// Moved; for kernels outside the tree.
#pragma once

#include "kernels/uot/timed/ranks/over_ranks.hpp"

#pragma message("moved: include kernels/uot/timed/ranks/over_ranks.hpp")
