// Rung 10 on a GPU, beyond the published ones: rung 9 that finds the runner-up, too. By its score feature
// matching tells a match from a guess (Lowe, "Distinctive image features from scale-invariant keypoints",
// 2004, section 7.1: the ratio test). The same body; a query keeps two candidates.
#include "kernels/match/timed/register_tile.cuh"

namespace uotbench::match {
namespace {

/// Of equal scores each counts.
struct alignas(16) BestTwo {
  Best first, second;

  __device__ void meet(float score, int index) {
    if (score > first.score) {
      second = first;
      first = {score, index};
    } else {
      second.meet(score, index);
    }
  }
  __device__ void meet(BestTwo other) {
    meet(other.first.score, other.first.index);
    meet(other.second.score, other.second.index);
  }
  __device__ BestTwo of_lane(int apart) const { return {first.of_lane(apart), second.of_lane(apart)}; }
  __device__ void store(const Sets& s, int query, const Sets& seconds) const {
    first.store(s, query);
    second.store(seconds, query);
  }
};

template <int dim>
__global__ void __launch_bounds__(register_tile::threads, 2) gpu10_second_best(Sets s, BestTwo* found) {
  register_tile::find<dim>(s, found);
}

class Gpu10 : public PartsKeeping<BestTwo> {
 public:
  explicit Gpu10(const Problem<float>& p) : PartsKeeping(p), score_(p.N), index_(p.N), seconds_(sets()) {
    seconds_.score = score_.data();
    seconds_.index = index_.data();
  }

  void iterate() {
    run(sets().D == 128 ? gpu10_second_best<128> : gpu10_second_best<0>, register_tile::side,
        dim3(register_tile::threads), 0, seconds_);
  }
  void finish(Result<float>& out) const {
    PartsKeeping::finish(out);
    score_.download(out.runner_up_score);
    index_.download(out.runner_up);
    out.written.insert(out.written.end(), {"runner_up", "runner_up_score"});
  }

 private:
  DeviceArray<float> score_;
  DeviceArray<int> index_;
  Sets seconds_;  ///< where the runners-up go
};

const Variant<Gpu10, void> variant{{
    .name = "match/gpu10_second_best",
    .summary = "best and runner-up of each query, by rung 9's tiles",
    .axes = {Gpu10::axis()},
    .work = device_work,
    .device = true,
}};

}  // namespace
}  // namespace uotbench::match
