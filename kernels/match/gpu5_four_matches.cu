// Rung 5 on a GPU: a thread meets four candidates with its query, which is read once for all four. A quarter
// of the threads is enough to compute; all load.
// Published: 17.15 ms on an RTX 2080 Ti (N = 16384, D = 128); load and store units 39%, multiply-add 26%.
#include "kernels/match/timed/tiles.cuh"

namespace uotbench::match {
namespace {

template <int dim>
__global__ void gpu5_four_matches(Sets s) {
  UOTBENCH_DYNAMIC_SHARED(float4, shared);
  const int D = dim ? dim : s.D, D4 = D / 4, tx = threadIdx.x, ty = threadIdx.y, bp1 = 16 * blockIdx.x;
  float4 *const buffer1 = shared, *const buffer2 = buffer1 + 16 * (D4 + 1);
  float* const scores = reinterpret_cast<float*>(buffer2 + 16 * D4);
  Best best;
  for (int d = tx; d < D4; d += 16) buffer1[ty * (D4 + 1) + d] = load4(s.queries, bp1 + ty, D, d);
  for (int bp2 = 0; bp2 < s.N; bp2 += 16) {
    for (int d = tx; d < D4; d += 16) buffer2[ty * D4 + d] = load4(s.candidates, bp2 + ty, D, d);
    __syncthreads();
    if (ty < 4) {
      float score[4] = {};
      for (int d = 0; d < D4; ++d) {
        const float4 v1 = buffer1[tx * (D4 + 1) + d];
        for (int dy = 0; dy < 4; ++dy) add_products(score[dy], v1, buffer2[(4 * ty + dy) * D4 + d]);
      }
      for (int dy = 0; dy < 4; ++dy) scores[16 * (4 * ty + dy) + tx] = score[dy];
    }
    __syncthreads();
    if (ty == 0)
      for (int i = 0; i < 16; ++i) best.meet(scores[16 * i + tx], bp2 + i);
  }
  if (ty == 0) best.store(s, bp1 + tx);
}

std::size_t shared_bytes(std::size_t D) {
  return 16 * (D / 4 + 1 + D / 4) * sizeof(float4) + 16 * 16 * sizeof(float);
}

class Gpu5 : public DeviceSets {
 public:
  using DeviceSets::DeviceSets;
  void iterate() {
    run({gpu5_four_matches<128>, gpu5_four_matches<0>}, 16, dim3(16, 16), shared_bytes(sets().D));
  }
};

const Variant<Gpu5, void> variant{{
    .name = "match/gpu5_four_matches",
    .summary = "a thread meets four candidates at a time with its query in registers",
    .work = device_work,
    .refuse = [](const Point& at) { return shared_violation(shared_bytes(at.size("D"))); },
    .device = true,
}};

}  // namespace
}  // namespace uotbench::match
