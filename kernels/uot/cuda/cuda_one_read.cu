// One read of K an iteration (one_read.cuh).
#include "kernels/uot/timed/one_read.cuh"

namespace uotbench::uot {
namespace {

template <class Real>
struct CudaOneRead : OneRead<Real, Real> {
  explicit CudaOneRead(const Problem<Real>& p) : OneRead<Real, Real>(p, p.K) {}
};

/// R: one element per cell; two products and two additions.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

const Variant<CudaOneRead<float>, CudaOneRead<double>> variant{{
    .name = "uot/cuda_one_read",
    .summary = "scalings only, on a GPU: both steps in one read of K (1 MN elements moved)",
    .work = work,
    .device = true,
}};

}  // namespace
}  // namespace uotbench::uot
