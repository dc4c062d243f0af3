// Rung 8 on a GPU: a thread meets four candidates with two queries, so that what it reads of the candidates
// serves twice, too. Half of the threads is enough to compute; all load.
// Published: 10.53 ms on an RTX 2080 Ti (N = 16384, D = 128); load and store units 35%, multiply-add 47%.
#include "kernels/match/timed/tiles.cuh"

namespace uotbench::match {
namespace {

template <int dim>
__global__ void gpu8_two_features(Sets s) {
  UOTBENCH_DYNAMIC_SHARED(float4, shared);
  const int D = dim ? dim : s.D, D4 = D / 4, tx = threadIdx.x, ty = threadIdx.y, bp1 = 32 * blockIdx.x;
  float4 *const buffer1 = shared, *const buffer2 = buffer1 + 32 * D4;
  const int first = tx % 16, part = 2 * ty + tx / 16;  // queries first and 16 + first; candidates 4 part + dy
  Best best[2];
  for (int j = ty; j < 32; j += 8)
    for (int d = tx; d < D4; d += 32) buffer1[j * D4 + (d + j) % D4] = load4(s.queries, bp1 + j, D, d);
  for (int bp2 = 0; bp2 < s.N; bp2 += 32) {
    for (int j = ty; j < 32; j += 8)
      for (int d = tx; d < D4; d += 32) buffer2[j * D4 + d] = load4(s.candidates, bp2 + j, D, d);
    __syncthreads();
    if (ty < 4) {
      float score[4][2] = {};
      for (int d = 0; d < D4; ++d) {
        float4 v1[2];
        for (int dx = 0; dx < 2; ++dx) v1[dx] = buffer1[(16 * dx + first) * D4 + (d + 16 * dx + first) % D4];
        for (int dy = 0; dy < 4; ++dy) {
          const float4 v2 = buffer2[(4 * part + dy) * D4 + d];
          for (int dx = 0; dx < 2; ++dx) add_products(score[dy][dx], v1[dx], v2);
        }
      }
      for (int dy = 0; dy < 4; ++dy)
        for (int dx = 0; dx < 2; ++dx) best[dx].meet(score[dy][dx], bp2 + 4 * part + dy);
    }
    __syncthreads();
  }
  Best* const bests = reinterpret_cast<Best*>(shared);
  if (ty < 4)
    for (int dx = 0; dx < 2; ++dx) bests[32 * part + 16 * dx + first] = best[dx];
  __syncthreads();
  if (ty > 0) return;
  Best all;
  for (int i = 0; i < 8; ++i) all.meet(bests[32 * i + tx]);
  all.store(s, bp1 + tx);
}

std::size_t shared_bytes(std::size_t D) {
  return std::max(2 * 32 * D * sizeof(float), 8 * 32 * sizeof(Best));
}

class Gpu8 : public DeviceSets {
 public:
  using DeviceSets::DeviceSets;
  void iterate() {
    run({gpu8_two_features<128>, gpu8_two_features<0>}, 32, dim3(32, 8), shared_bytes(sets().D));
  }
};

const Variant<Gpu8, void> variant{{
    .name = "match/gpu8_two_features",
    .summary = "a thread meets four candidates with two queries",
    .work = device_work,
    .refuse = [](const Point& at) { return shared_violation(shared_bytes(at.size("D"))); },
    .device = true,
}};

}  // namespace
}  // namespace uotbench::match
