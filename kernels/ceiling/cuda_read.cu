// Reads an array on a GPU, 16 bytes a thread at a time, as often as makes a grid of whole multiprocessors. As
// in read.cpp words are added up as whole numbers, so that one left out shows; y[0] holds the bits of the
// sum.
#include <cstring>

#include "kernels/ceiling/timed/device_streams.cuh"

namespace uotbench::ceiling {
namespace {

__global__ void add_up(const uint4* words, std::size_t n, unsigned* sum) {
  unsigned mine = 0;
  for (std::size_t i = first_of(); i < n; i += stride_of()) {
    const uint4 four = words[i];
    mine += four.x + four.y + four.z + four.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(0xffffffffu, mine, distance);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

class Read {
 public:
  explicit Read(const Problem<float>& p) : words_(padded_words(p.x)), sum_(1) { sum_.zero(); }

  void iterate() {
    launch(add_up, whole_grid(words_.size()), dim3(stream_threads), 0, nullptr, words_.data(), words_.size(),
           sum_.data());
  }
  void finish(Result<float>& out) { sum_.download({reinterpret_cast<unsigned*>(out.y.data()), 1}); }

 private:
  DeviceArray<uint4> words_;
  DeviceArray<unsigned> sum_;
};

const Variant<Read, void> variant{{
    .name = "ceiling/cuda_read",
    .summary = "reads an array on a GPU",
    .work = [](const Point& at) { return device_work({.reads = 1}, at); },
    .refuse = f32_alone,
    .device = true,
    .measures = Measures{"read", 1},
}};

}  // namespace
}  // namespace uotbench::ceiling
