// one_read, invariant to translation: after the two steps all of u and all of v take the factors that are
// best for the dual (best_shift.hpp; Séjourné, Vialard, Peyré 2022). Plain iterations need more and more of
// themselves as reg_m/reg grows (6612 where it is 1000 and one side has three times the mass); these do not
// (46).
#include "kernels/uot/parts/shifted_iteration.hpp"

namespace uotbench::uot {
namespace {

/// R, as one_read.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

const Variant<ShiftedSolve<float, Steps::plain>, ShiftedSolve<double, Steps::plain>> variant{{
    .name = "uot/one_read_ti",
    .summary = "one_read to a solution, invariant to translation (fewer iterations where reg_m/reg is large)",
    .axes = one_read_axes(),
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
