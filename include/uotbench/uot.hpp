// Kernels of the family uot, unbalanced optimal transport: Problem, Result and Variant, with the shapes of
// all arrays (kernels/uot/problem.hpp); what the threads add to columns (ColumnSums); u and v with their
// change (Scalings), for kernels that also solve.
#pragma once

#include <uotbench/kernel.hpp>

#include "kernels/uot/problem.hpp"
#include "kernels/uot/timed/column_sums.hpp"
#include "kernels/uot/timed/scalings.hpp"
