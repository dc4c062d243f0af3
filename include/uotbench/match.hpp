// Kernels of the family match, for each query the best candidate: Problem, Result and Variant, with the
// shapes of all arrays (kernels/match/problem.hpp).
#pragma once

#include <uotbench/kernel.hpp>

#include "kernels/match/problem.hpp"
