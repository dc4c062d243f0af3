// one_read_ti with over-relaxed steps (relaxation.hpp): what a small reg makes slow takes about the square
// root of the iterations. No step lowers the dual, and where long steps do not pay they end.
#include "kernels/uot/parts/shifted_iteration.hpp"

namespace uotbench::uot {
namespace {

/// R, as one_read.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

const Variant<ShiftedSolve<float, Steps::relaxed>, ShiftedSolve<double, Steps::relaxed>> variant{{
    .name = "uot/one_read_sor",
    .summary = "one_read_ti, over-relaxed (fewer iterations where reg is small)",
    .axes = one_read_axes(),
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
