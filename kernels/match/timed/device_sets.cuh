// Both sets on a device, and what the rungs of the ladder share there.
//
// Sets are padded to whole tiles, queries with zeroes and candidates with NaN: no score of those is greater
// than any other, so that tiles need no bounds but where they store. Blocks work on the same candidates at
// about the same time, which come from memory once.
#pragma once

#include <cmath>
#include <limits>

#include "harness/simt/cuda.hpp"
#include "harness/simt/device_array.hpp"
#include "harness/worker/choices.hpp"
#include "kernels/match/problem.hpp"

namespace uotbench::match {

/// What a kernel is given.
struct Sets {
  const float *queries, *candidates;  ///< rows of D; rows_padded_to more than N are there
  float* score;                       ///< N
  int* index;                         ///< N
  int N, D;
};

constexpr int rows_padded_to = 128;  ///< the largest tile
constexpr float lowest = -std::numeric_limits<float>::infinity();

/// The best candidate so far. Read and written at once.
struct alignas(8) Best {
  float score = lowest;
  int index = -1;

  __device__ void meet(float its_score, int its_index) {
    if (its_score > score) *this = {its_score, its_index};
  }
  __device__ void meet(Best other) { meet(other.score, other.index); }
  /// That of the lane whose number differs in the bits `apart`.
  __device__ Best of_lane(int apart) const {
    return {__shfl_xor_sync(~0u, score, apart), __shfl_xor_sync(~0u, index, apart)};
  }
  __device__ void store(const Sets& s, int query) const {
    if (query >= s.N) return;
    s.score[query] = score;
    s.index[query] = index;
  }
};

/// A rung is a class derived from this one, with an iterate().
class DeviceSets {
 public:
  explicit DeviceSets(const Problem<float>& p)
      : queries_(padded(p.queries, p, 0.f)),
        candidates_(padded(p.candidates, p, std::numeric_limits<float>::quiet_NaN())),
        score_(p.N),
        index_(p.N),
        sets_{queries_.data(), candidates_.data(),    score_.data(),
              index_.data(),   static_cast<int>(p.N), static_cast<int>(p.D)} {}

  void finish(Result<float>& out) const {
    score_.download(out.score);
    index_.download(out.index);
  }

 protected:
  using Kernel = void (*)(Sets);
  /// A kernel for D = 128, which the compiler then knows, and the same for any D.
  struct ForD {
    Kernel of128, any;
  };

  /// With a block for each `tile` queries.
  void run(ForD kernel, int tile, dim3 block, std::size_t shared_bytes) {
    launch(sets_.D == 128 ? kernel.of128 : kernel.any, dim3(unsigned((sets_.N + tile - 1) / tile)), block,
           shared_bytes, nullptr, sets_);
  }

  const Sets& sets() const { return sets_; }

 private:
  static std::vector<float> padded(std::span<const float> set, const Problem<float>& p, float with) {
    const std::size_t rows = (p.N + rows_padded_to - 1) / rows_padded_to * rows_padded_to;
    std::vector<float> all(rows * p.D, with);
    std::copy(set.begin(), set.end(), all.begin());
    return all;
  }

  DeviceArray<float> queries_, candidates_, score_;
  DeviceArray<int> index_;
  Sets sets_;
};

/// Of all rungs on a GPU.
inline Work device_work(const Point& at) { return matching_work(at, 1); }

/// Why a block cannot have that much shared memory; empty: it can.
inline std::string shared_violation(std::size_t bytes) {
  constexpr std::size_t most = 48 * 1024;
  if (bytes <= most) return "";
  return "a block would have " + std::to_string(bytes) + " bytes of shared memory; at most " +
         std::to_string(most) + ": a smaller D";
}

}  // namespace uotbench::match
