// Rung 2 on a GPU: 16 x 16 threads meet 16 queries and 16 candidates at a time, from shared memory.
// Published: 148.0 ms on an RTX 2080 Ti (N = 16384, D = 128); 9.1e9 shared load wavefronts, 7.5e9 of them
// bank conflicts: the 16 queries of a warp stand 128 words apart, all in one bank.
#include "kernels/match/timed/device_sets.cuh"

namespace uotbench::match {
namespace {

template <int dim>
__global__ void gpu2_shared(Sets s) {
  UOTBENCH_DYNAMIC_SHARED(float, shared);
  const int D = dim ? dim : s.D, tx = threadIdx.x, ty = threadIdx.y, bp1 = 16 * blockIdx.x;
  float *const buffer1 = shared, *const buffer2 = buffer1 + 16 * D, *const scores = buffer2 + 16 * D;
  Best best;
  for (int d = tx; d < D; d += 16) buffer1[ty * D + d] = s.queries[std::size_t(bp1 + ty) * D + d];
  for (int bp2 = 0; bp2 < s.N; bp2 += 16) {
    for (int d = tx; d < D; d += 16) buffer2[ty * D + d] = s.candidates[std::size_t(bp2 + ty) * D + d];
    __syncthreads();
    float score = 0;
    for (int d = 0; d < D; ++d) score += buffer1[tx * D + d] * buffer2[ty * D + d];
    scores[16 * ty + tx] = score;
    __syncthreads();
    if (ty == 0)
      for (int i = 0; i < 16; ++i) best.meet(scores[16 * i + tx], bp2 + i);
  }
  if (ty == 0) best.store(s, bp1 + tx);
}

std::size_t shared_bytes(std::size_t D) { return (2 * 16 * D + 16 * 16) * sizeof(float); }

class Gpu2 : public DeviceSets {
 public:
  using DeviceSets::DeviceSets;
  void iterate() { run({gpu2_shared<128>, gpu2_shared<0>}, 16, dim3(16, 16), shared_bytes(sets().D)); }
};

const Variant<Gpu2, void> variant{{
    .name = "match/gpu2_shared",
    .summary = "16 x 16 threads share 16 queries and 16 candidates",
    .work = device_work,
    .refuse = [](const Point& at) { return shared_violation(shared_bytes(at.size("D"))); },
    .device = true,
}};

}  // namespace
}  // namespace uotbench::match
