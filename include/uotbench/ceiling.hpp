// Kernels of the family ceiling, what a machine can do at most: Problem, Result and Variant
// (kernels/ceiling/problem.hpp); arrays that threads go over again and again.
#pragma once

#include <uotbench/kernel.hpp>

#include "kernels/ceiling/problem.hpp"
#include "kernels/ceiling/timed/streams.hpp"
