// The candidates in parts, a block each: more blocks than tiles of queries, so that a large GPU is full. A
// second kernel merges what the parts have found.
#pragma once

#include <algorithm>

#include "kernels/match/timed/device_sets.cuh"

namespace uotbench::match {

/// found[part * N + query] is what a part has found; `more` is what Kept::store() also wants.
template <class Kept, class... More>
__global__ void merge_parts(Sets s, const Kept* found, int parts, More... more) {
  const int p1 = threadIdx.x + blockDim.x * blockIdx.x;
  if (p1 >= s.N) return;
  Kept all;
  for (int part = 0; part < parts; ++part) all.meet(found[std::size_t(part) * s.N + p1]);
  all.store(s, p1, more...);
}

/// Sets whose candidates are met in parts. Kept is what a query keeps of those that it met: Best, or one like
/// it.
template <class Kept>
class PartsKeeping : public DeviceSets {
 public:
  explicit PartsKeeping(const Problem<float>& p)
      : DeviceSets(p), parts_(int(p.at.integer("parts"))), found_(parts_ * p.N) {}

  static Axis axis() {
    return {.name = "parts",
            .standard = 4,
            .least = 1,
            .most = 64,
            .about = "parts that the candidates are divided in, with blocks of their own; a tile at least"};
  }

 protected:
  using Kernel = void (*)(Sets, Kept*);

  /// With `parts` blocks for each `tile` queries, each with `tile` candidates at least; then merges.
  template <class... More>
  void run(Kernel kernel, int tile, dim3 block, std::size_t shared_bytes, More... more) {
    const int tiles = (sets().N + tile - 1) / tile, parts = std::min(parts_, tiles);
    launch(kernel, dim3(unsigned(tiles), unsigned(parts)), block, shared_bytes, nullptr, sets(),
           found_.data());
    launch(merge_parts<Kept, More...>, dim3(unsigned((sets().N + 127) / 128)), dim3(128), 0, nullptr, sets(),
           found_.data(), parts, more...);
  }

 private:
  int parts_;
  DeviceArray<Kept> found_;
};

using DeviceParts = PartsKeeping<Best>;

}  // namespace uotbench::match
