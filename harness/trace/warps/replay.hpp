// Makes instructions of warps from what their lanes did, each for itself.
#pragma once

#include <cstdint>

#include "harness/trace/warps/graph.hpp"
#include "harness/trace/warps/log.hpp"
#include "harness/trace/warps/sites.hpp"
#include "harness/trace/warps/tally.hpp"

namespace uotbench::trace {

class WarpReplay {
 public:
  WarpReplay(WarpSites& sites, WarpTally& tally) : sites_(sites), tally_(tally) {}

  /// Lanes that begin together, and end together; their logs are left as they are. Throws std::bad_alloc.
  void replay(ThreadLog* logs, int lanes);
  /// A launch begins: sites are others.
  void forget() { graph_.forget(); }

 private:
  struct Lanes {
    std::uint8_t of[32];
    int count = 0;
  };

  SiteNumber next(int lane) const { return event::site(*at_[lane]); }
  void together(Lanes lanes, SiteNumber passed, SiteNumber until);
  void part(const Lanes& lanes, SiteNumber join);
  Lanes those_at(const Lanes& lanes, SiteNumber site) const;
  bool step(const Lanes& lanes, SiteNumber until, SiteNumber& passed);
  void find_joins();

  WarpSites& sites_;
  WarpTally& tally_;
  WarpGraph graph_;
  bool has_joins_ = false;
  int lanes_ = 0;
  const std::uint64_t* begin_[32] = {};
  const std::uint64_t* at_[32] = {};
  Request request_;
};

}  // namespace uotbench::trace
