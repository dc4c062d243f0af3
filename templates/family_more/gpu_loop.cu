// A thread a number, on a GPU.
#include <uotbench/cuda.hpp>

#include "kernels/demo/problem.hpp"

namespace uotbench::demo {
namespace {

__global__ void square(float* x, float* y, int N) {
  const int i = int(threadIdx.x + blockDim.x * blockIdx.x);
  if (i < N) y[i] = x[i] * x[i];
}

class GpuLoop {
 public:
  explicit GpuLoop(const Problem<float>& p) : x_(p.x), y_(p.N) {}

  void iterate() {
    constexpr unsigned threads = 128;
    const auto N = unsigned(x_.size());
    launch(square, dim3((N + threads - 1) / threads), dim3(threads), 0, nullptr, x_.data(), y_.data(),
           int(N));
  }

  void finish(Result<float>& out) { y_.download(out.y); }

 private:
  DeviceArray<float> x_, y_;
};

const Variant<GpuLoop, void> variant{{
    .name = "demo/gpu_loop",
    .summary = "a thread a number",
    .work = work,
    .device = true,
}};

}  // namespace
}  // namespace uotbench::demo
