// The candidates in parts, a block each: more blocks than tiles of queries, so that a large GPU is full. A
// second kernel merges what the parts have found.
#pragma once

#include "kernels/match/device_sets.cuh"

namespace uotbench::match {

/// What a part has found, of all queries.
struct Found {
  float* score;  ///< parts x N
  int* index;    ///< parts x N
};

template <int threads>
__global__ void merge_parts(Sets s, Found found, int parts) {
  const int p1 = threadIdx.x + threads * blockIdx.x;
  if (p1 >= s.N) return;
  float best = lowest;
  int index = -1;
  for (int part = 0; part < parts; ++part) {
    const std::size_t at = std::size_t(part) * s.N + p1;
    if (found.score[at] > best) {
      best = found.score[at];
      index = found.index[at];
    }
  }
  s.score[p1] = best;
  s.index[p1] = index;
}

/// Sets whose candidates are met in parts.
class DeviceParts : public DeviceSets {
 public:
  explicit DeviceParts(const Problem<float>& p)
      : DeviceSets(p), parts_(int(p.at.integer("parts"))), scores_(parts_ * p.N), indices_(parts_ * p.N) {}

  static Axis axis() {
    return {.name = "parts",
            .standard = 4,
            .least = 1,
            .most = 64,
            .about = "parts that the candidates are divided in, with blocks of their own"};
  }

 protected:
  using Kernel = void (*)(Sets, Found);

  /// With `parts` blocks for each `tile` queries; then merges.
  void run(Kernel kernel, int tile, dim3 block, std::size_t shared_bytes) {
    const Found found{scores_.data(), indices_.data()};
    launch(kernel, dim3(unsigned((sets().N + tile - 1) / tile), unsigned(parts_)), block, shared_bytes,
           nullptr, sets(), found);
    launch(merge_parts<128>, dim3(unsigned((sets().N + 127) / 128)), dim3(128), 0, nullptr, sets(), found,
           parts_);
  }

 private:
  int parts_;
  DeviceArray<float> scores_;
  DeviceArray<int> indices_;
};

}  // namespace uotbench::match
