// Kernels of the family simplex, exact transport: Problem, Result and Variant, with the shapes of all arrays
// (kernels/simplex/problem.hpp); a pricing step as a kernel (PricingKernel).
#pragma once

#include <uotbench/kernel.hpp>

#include "kernels/simplex/problem.hpp"
#include "kernels/simplex/timed/pricing_kernel.hpp"
