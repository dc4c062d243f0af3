// What is ordered before what, in one block: by a barrier all of it, by a collective of a warp what its lanes
// did. Threads run one at a time here, so a time of the whole block replaces each thread's own clock
// (Flanagan, Freund: FastTrack, PLDI 2009, has one a thread).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace uotbench::trace {

using Stamp = std::uint32_t;  ///< meetings of a launch, counted

class WarpClocks {
 public:
  void begin_launch(int threads) {
    threads_ = threads;
    warps_.assign((static_cast<unsigned>(threads) + 31) / 32, {});
    begin_block();
  }
  void begin_block() {
    barrier();
    block_ = interval_;
  }
  void barrier() { interval_ = ++now_; }
  void met(int warp, std::uint32_t mask) {
    Warp& those = warps_[warp];
    const int lanes = std::min(32, threads_ - 32 * warp);
    const std::uint32_t all = lanes == 32 ? ~0u : (1u << lanes) - 1;
    const Stamp before = now_++;
    if ((mask & all) == all) {
      those.whole = now_;
      return;
    }
    if (those.part <= since(warp)) {
      those.part = now_;
      those.seen.assign(32 * 32, 0);
    }
    Stamp joined[32];
    for (int of = 0; of < 32; ++of) {
      joined[of] = mask >> of & 1 ? before + 1 : 0;
      for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
        joined[of] = std::max(joined[of], those.seen[32 * __builtin_ctz(rest) + of]);
    }
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
      std::copy_n(joined, 32, &those.seen[32 * __builtin_ctz(rest)]);
  }

  Stamp now() const { return now_; }
  Stamp block() const { return block_; }        ///< since when this block runs
  Stamp interval() const { return interval_; }  ///< since when all of it is not ordered
  /// Since when the lanes of this warp are not all ordered.
  Stamp since(int warp) const { return std::max(interval_, warps_[warp].whole); }
  /// When lanes met that were not all of the warp, first after since(); 0: they did not.
  Stamp part(int warp) const { return warps_[warp].part > since(warp) ? warps_[warp].part : 0; }
  /// Whether what `lane` did at `at` is ordered before what `other`, of the same warp, does now.
  bool ordered(int warp, int lane, Stamp at, int other) const {
    return at < since(warp) || (part(warp) != 0 && at < warps_[warp].seen[32 * other + lane]);
  }

 private:
  struct Warp {
    Stamp whole = 0, part = 0;
    std::vector<Stamp> seen;  // by lane: up to when it knows what each other one did; from `part` on
  };

  int threads_ = 0;
  Stamp now_ = 0, block_ = 0, interval_ = 0;
  std::vector<Warp> warps_;
};

}  // namespace uotbench::trace
