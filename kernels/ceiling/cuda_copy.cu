// Copies x to y on a GPU, 16 bytes a thread at a time. The first element counts the iterations.
#include "kernels/ceiling/timed/device_streams.cuh"

namespace uotbench::ceiling {
namespace {

__global__ void copy(float4* from, float4* to, std::size_t n, float iteration) {
  for (std::size_t i = first_of(); i < n; i += stride_of()) {
    float4 four = from[i];
    if (i == 0) four.x = iteration;
    to[i] = four;
  }
}

class Copy {
 public:
  explicit Copy(const Problem<float>& p) : x_(padded(p.x)), y_(x_.size()) {}

  void iterate() {
    iteration_ += 1;
    launch(copy, whole_grid(x_.size()), dim3(stream_threads), 0, nullptr, x_.data(), y_.data(), x_.size(),
           iteration_);
  }
  void finish(Result<float>& out) {
    std::vector<float4> all(y_.size());
    y_.download(all);
    std::memcpy(out.y.data(), all.data(), out.y.size_bytes());
  }

 private:
  DeviceArray<float4> x_, y_;
  float iteration_ = 0;
};

const Variant<Copy, void> variant{{
    .name = "ceiling/cuda_copy",
    .summary = "copies an array on a GPU",
    .work = [](const Point& at) { return device_work({.arrays = 2, .reads = 1, .writes = 1}, at); },
    .refuse = f32_alone,
    .device = true,
    .measures = Measures{"copy", 2},
}};

}  // namespace
}  // namespace uotbench::ceiling
