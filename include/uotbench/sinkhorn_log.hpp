// Kernels of the family sinkhorn_log, Sinkhorn's iteration in logarithms: Problem, Result and Variant, with
// the shapes of all arrays (kernels/sinkhorn_log/problem.hpp); log u and log v with their change
// (Potentials).
#pragma once

#include <uotbench/kernel.hpp>

#include "kernels/sinkhorn_log/problem.hpp"
#include "kernels/sinkhorn_log/timed/potentials.hpp"
