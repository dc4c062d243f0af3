// Mistakes that a rung of the ladder may have, as rung 7 would have them: each is told from the right kernel.
#include <algorithm>

#include "kernels/match/timed/tiles.cuh"

namespace uotbench::match {
namespace {

enum Mistake : int { none, as_printed, product_read, unshifted, from_zero, no_barrier };
constexpr const char* names[] = {"none",      "as_printed", "product_read",
                                 "unshifted", "from_zero",  "no_barrier"};

/// Where element d of query j is written to, and read from. As the published listing is printed the circulant
/// has `*` for `%`.
template <int mistake>
__device__ int written_to(int j, int d, int D4) {
  return j * D4 + (mistake == as_printed ? (d + j) * D4 : (d + j) % D4);
}
template <int mistake>
__device__ int read_from(int j, int d, int D4) {
  if (mistake == as_printed || mistake == product_read) return j * D4 + (d + j) * D4;
  return j * D4 + (mistake == unshifted ? d : (d + j) % D4);
}

template <int mistake>
__global__ void circulant(Sets s) {
  UOTBENCH_DYNAMIC_SHARED(float4, shared);
  const int D4 = s.D / 4, tx = threadIdx.x, ty = threadIdx.y, bp1 = 32 * blockIdx.x;
  float4 *const buffer1 = shared, *const buffer2 = buffer1 + 32 * D4;
  Best best;
  if (mistake == from_zero) best.score = 0;
  for (int j = ty; j < 32; j += 8)
    for (int d = tx; d < D4; d += 32)
      buffer1[written_to<mistake>(j, d, D4)] = load4(s.queries, bp1 + j, s.D, d);
  for (int bp2 = 0; bp2 < s.N; bp2 += 32) {
    for (int j = ty; j < 32; j += 8)
      for (int d = tx; d < D4; d += 32) buffer2[j * D4 + d] = load4(s.candidates, bp2 + j, s.D, d);
    __syncthreads();
    float score[4] = {};
    for (int d = 0; d < D4; ++d) {
      const float4 v1 = buffer1[read_from<mistake>(tx, d, D4)];
      for (int dy = 0; dy < 4; ++dy) add_products(score[dy], v1, buffer2[(4 * ty + dy) * D4 + d]);
    }
    for (int dy = 0; dy < 4; ++dy) best.meet(score[dy], bp2 + 4 * ty + dy);
    if (mistake != no_barrier) __syncthreads();
  }
  Best* const bests = reinterpret_cast<Best*>(shared);
  if (mistake == no_barrier) __syncthreads();
  bests[32 * ty + tx] = best;
  __syncthreads();
  if (ty > 0) return;
  for (int i = 1; i < 8; ++i) best.meet(bests[32 * i + tx]);
  best.store(s, bp1 + tx);
}

class Broken : public DeviceSets {
 public:
  explicit Broken(const Problem<float>& p) : DeviceSets(p) {
    const std::string mistake = p.at.text("mistake");
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      ((mistake == names[i] ? void(kernel_ = circulant<int(i)>) : void()), ...);
    }
    (std::make_index_sequence<std::size(names)>());
  }
  void iterate() {
    run({kernel_, kernel_}, 32, dim3(32, 8),
        std::max(2 * 32 * sets().D * sizeof(float), 8 * 32 * sizeof(Best)));
  }

 private:
  Kernel kernel_ = nullptr;
};

const Variant<Broken, void> variant{{
    .name = "match/gpu_broken",
    .summary = "rung 7 with a mistake",
    .axes = {{.name = "mistake",
              .kind = Axis::Kind::text,
              .standard = "none",
              .values = std::vector<Value>(std::begin(names), std::end(names)),
              .about = "which"}},
    .work = device_work,
    .device = true,
}};

}  // namespace
}  // namespace uotbench::match
