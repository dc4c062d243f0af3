// Rung 6 on a GPU: each thread keeps the best of what it met in registers, and threads meet once, at the end,
// where the queries were. No scores in shared memory.
// Published: 16.35 ms on an RTX 2080 Ti (N = 16384, D = 128); load and store units 38%, multiply-add 27%.
#include "kernels/match/timed/tiles.cuh"

namespace uotbench::match {
namespace {

template <int dim>
__global__ void gpu6_register_best(Sets s) {
  UOTBENCH_DYNAMIC_SHARED(float4, shared);
  const int D = dim ? dim : s.D, D4 = D / 4, tx = threadIdx.x, ty = threadIdx.y, bp1 = 16 * blockIdx.x;
  float4 *const buffer1 = shared, *const buffer2 = buffer1 + 16 * (D4 + 1);
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
      for (int dy = 0; dy < 4; ++dy) best.meet(score[dy], bp2 + 4 * ty + dy);
    }
    __syncthreads();
  }
  Best* const bests = reinterpret_cast<Best*>(buffer1);
  if (ty < 4) bests[16 * ty + tx] = best;
  __syncthreads();
  if (ty > 0) return;
  for (int i = 1; i < 4; ++i) best.meet(bests[16 * i + tx]);
  best.store(s, bp1 + tx);
}

std::size_t shared_bytes(std::size_t D) { return 16 * (D / 4 + 1 + D / 4) * sizeof(float4); }
static_assert(4 * 16 * sizeof(Best) <= 16 * 2 * sizeof(float4), "fits in the queries' buffer for D = 4");

class Gpu6 : public DeviceSets {
 public:
  using DeviceSets::DeviceSets;
  void iterate() {
    run({gpu6_register_best<128>, gpu6_register_best<0>}, 16, dim3(16, 16), shared_bytes(sets().D));
  }
};

const Variant<Gpu6, void> variant{{
    .name = "match/gpu6_register_best",
    .summary = "the best matches stay in registers to the end",
    .work = device_work,
    .refuse = [](const Point& at) { return shared_violation(shared_bytes(at.size("D"))); },
    .device = true,
}};

}  // namespace
}  // namespace uotbench::match
