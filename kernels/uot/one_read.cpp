// One read of K (one_read.hpp) in the problem's own type.
#include "kernels/uot/parts/one_read.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
struct OneRead : ReadOnce<Real> {
  explicit OneRead(const Problem<Real>& problem) : ReadOnce<Real>(problem, private_copy(problem)) {}
};

/// R: one element per cell; two products and two additions.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

const Variant<OneRead<float>, OneRead<double>> variant{{
    .name = "uot/one_read",
    .summary = "scalings only, both steps in one read of K (1 MN elements moved)",
    .axes = one_read_axes(),
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
