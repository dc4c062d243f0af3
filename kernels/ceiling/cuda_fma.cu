// Computes and moves nothing, on a GPU: a = a m + k on 8 independent numbers a thread, N threads. m = k = 1,
// which the compiler is not told, so that a counts its steps; y has one of each thread's.
#include "kernels/ceiling/timed/device_streams.cuh"

namespace uotbench::ceiling {
namespace {

constexpr int chains = 8;

template <class Real>
__global__ void compute(Real* steps, int n, Real m, Real k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Real a[chains] = {};
  for (std::size_t step = 0; step < device_fma_steps; ++step)
#pragma unroll
    for (int c = 0; c < chains; ++c) a[c] = fma(a[c], m, k);
  for (int c = 1; c < chains; ++c) a[0] = a[0] == a[c] ? a[0] : Real(-1);  // all count the same
  steps[i] += a[0];
}

template <class Real>
class Fma {
 public:
  explicit Fma(const Problem<Real>& p) : steps_(p.N) { steps_.zero(); }

  void iterate() {
    const auto n = static_cast<unsigned>(steps_.size());
    launch(compute<Real>, dim3((n + 255) / 256), dim3(256), 0, nullptr, steps_.data(), n, Real(1), Real(1));
  }
  void finish(Result<Real>& out) { steps_.download(out.y); }

 private:
  DeviceArray<Real> steps_;
};

const Variant<Fma<float>, Fma<double>> variant{{
    .name = "ceiling/cuda_fma",
    .summary = "multiplies and adds in registers of a GPU: its peak flop rate",
    .work =
        [](const Point& at) {
          return Work{.flops = 2. * chains * static_cast<double>(device_fma_steps) * at.number("N"),
                      .working_set = 0};
        },
    .device = true,
    .measures = Measures{"flops"},
}};

}  // namespace
}  // namespace uotbench::ceiling
