// Kernels of the family stencil, finite differences on grids: Problem, Result and Variant, with the shapes of
// all arrays (kernels/stencil/problem.hpp); fields in private memory and the stages of a step.
#pragma once

#include <uotbench/kernel.hpp>

#include "kernels/stencil/problem.hpp"
#include "kernels/stencil/timed/stepping.hpp"
