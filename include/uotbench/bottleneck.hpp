// Kernels of the family bottleneck, sums that are slow for a known reason: Problem, Result and Variant
// (kernels/bottleneck/problem.hpp).
#pragma once

#include <uotbench/kernel.hpp>

#include "kernels/bottleneck/problem.hpp"
