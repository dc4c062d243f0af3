// Counts requests, each at its site.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/trace/warps/memory.hpp"
#include "harness/trace/warps/requests.hpp"
#include "harness/trace/warps/sites.hpp"

namespace uotbench::trace {

class WarpTally {
 public:
  WarpTally(WarpSites& sites, WarpMemory& memory) : sites_(sites), memory_(memory) {}

  /// One instruction of the warp that is replayed.
  void count(SiteNumber site, const Request& request);
  /// A meeting, or the end of what is replayed: loads are not moved beyond it.
  void meeting();

 private:
  /// Loads of 4 bytes that may be part of one of 16: so far contiguous in every lane, and the first aligned.
  struct Pending {
    SiteNumber site;
    int loads;
    Request first;
    Wavefronts written;  // as they are, together
  };

  void count_global(SiteCounts& to, const Request& request);
  void widen(SiteNumber site, const Request& request, const Wavefronts& written);
  void give_up(Pending& pending);

  WarpSites& sites_;
  WarpMemory& memory_;
  std::vector<Pending> pending_;
};

}  // namespace uotbench::trace
