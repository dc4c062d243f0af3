// Rung 1 on a GPU: a thread takes a query and meets all candidates, all from global memory.
// Published: 641.8 ms on an RTX 2080 Ti (N = 16384, D = 128); too few threads, 20% of the warps a GPU can
// hold.
#include "kernels/match/timed/device_sets.cuh"

namespace uotbench::match {
namespace {

template <int dim>
__global__ void gpu1_naive(Sets s) {
  const int D = dim ? dim : s.D, p1 = threadIdx.x + blockDim.x * blockIdx.x;
  if (p1 >= s.N) return;
  Best best;
  for (int p2 = 0; p2 < s.N; ++p2) {
    float score = 0;
    for (int d = 0; d < D; ++d)
      score += s.queries[std::size_t(p1) * D + d] * s.candidates[std::size_t(p2) * D + d];
    best.meet(score, p2);
  }
  best.store(s, p1);
}

class Gpu1 : public DeviceSets {
 public:
  using DeviceSets::DeviceSets;
  void iterate() { run({gpu1_naive<128>, gpu1_naive<0>}, 128, dim3(128), 0); }
};

const Variant<Gpu1, void> variant{{
    .name = "match/gpu1_naive",
    .summary = "a thread a query, everything from global memory",
    .work = device_work,
    .device = true,
}};

}  // namespace
}  // namespace uotbench::match
