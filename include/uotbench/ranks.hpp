// Kernels of the family uot over the processes of an MPI launch, which have a block of the problem each. Only
// for workers that are built with an MPI (docs/guide/ranks.md).
#pragma once

#include <uotbench/kernel.hpp>

#include "kernels/uot/timed/ranks/over_ranks.hpp"
