// Rung 7 on a GPU: 32 x 8 threads, all of which compute, for 32 queries and 32 candidates. Query j is stored
// from element j on, round its end (a circulant), instead of padding: float4 d of eight queries is in all
// banks. (The slides print `(d + tx)*(NDIM/4)` for the place in it; CudaSift has `%`, as here.) Published:
// 14.80 ms on an RTX 2080 Ti (N = 16384, D = 128); load and store units 39%, multiply-add 33%.
#include "kernels/match/timed/tiles.cuh"

namespace uotbench::match {
namespace {

template <int dim>
__global__ void gpu7_circulant(Sets s) {
  UOTBENCH_DYNAMIC_SHARED(float4, shared);
  const int D = dim ? dim : s.D, D4 = D / 4, tx = threadIdx.x, ty = threadIdx.y, bp1 = 32 * blockIdx.x;
  float4 *const buffer1 = shared, *const buffer2 = buffer1 + 32 * D4;
  Best best;
  for (int j = ty; j < 32; j += 8)
    for (int d = tx; d < D4; d += 32) buffer1[j * D4 + (d + j) % D4] = load4(s.queries, bp1 + j, D, d);
  for (int bp2 = 0; bp2 < s.N; bp2 += 32) {
    for (int j = ty; j < 32; j += 8)
      for (int d = tx; d < D4; d += 32) buffer2[j * D4 + d] = load4(s.candidates, bp2 + j, D, d);
    __syncthreads();
    float score[4] = {};
    for (int d = 0; d < D4; ++d) {
      const float4 v1 = buffer1[tx * D4 + (d + tx) % D4];
      for (int dy = 0; dy < 4; ++dy) add_products(score[dy], v1, buffer2[(4 * ty + dy) * D4 + d]);
    }
    for (int dy = 0; dy < 4; ++dy) best.meet(score[dy], bp2 + 4 * ty + dy);
    __syncthreads();
  }
  Best* const bests = reinterpret_cast<Best*>(shared);
  bests[32 * ty + tx] = best;
  __syncthreads();
  if (ty > 0) return;
  for (int i = 1; i < 8; ++i) best.meet(bests[32 * i + tx]);
  best.store(s, bp1 + tx);
}

std::size_t shared_bytes(std::size_t D) {
  return std::max(2 * 32 * D * sizeof(float), 8 * 32 * sizeof(Best));
}

class Gpu7 : public DeviceSets {
 public:
  using DeviceSets::DeviceSets;
  void iterate() { run({gpu7_circulant<128>, gpu7_circulant<0>}, 32, dim3(32, 8), shared_bytes(sets().D)); }
};

const Variant<Gpu7, void> variant{{
    .name = "match/gpu7_circulant",
    .summary = "32 x 32 matches a block by 32 x 8 threads; a circulant for padding",
    .work = device_work,
    .refuse = [](const Point& at) { return shared_violation(shared_bytes(at.size("D"))); },
    .device = true,
}};

}  // namespace
}  // namespace uotbench::match
