// Requests of a warp, and what they add up to at each place in the source.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/trace/warps/log.hpp"
#include "harness/trace/warps/memory.hpp"
#include "harness/trace/warps/warps.hpp"

namespace uotbench::trace {

// What one instruction of a warp asks of memory.

/// Of the lanes that take part, in their order. An address is a multiple of the size, which is at most 16.
struct Request {
  std::uint64_t at[32];
  std::uint8_t lane[32];
  int lanes = 0;
  unsigned size = 0;  ///< bytes a lane
};

/// Passes over the 32 banks of shared memory.
struct Wavefronts {
  std::uint64_t count = 0, ideal = 0, degree = 0;
};

/// 32 banks, 4 bytes wide: lanes that want different words of one bank wait for one another, lanes that want
/// the same word do not. Up to 4 bytes a lane, a warp is served at once; 8 bytes: by halves; 16 bytes: by
/// quarters. Neighbouring groups are served together, the two of one half at most with 16 bytes, where all
/// active pairs of lanes (i, i^1), or all pairs (i, i^2), want the same address (measured on devices of
/// compute capability 7.x and later; CUDA's documentation does not say it).
Wavefronts wavefronts(const Request& request);

/// Sectors of 32 bytes and lines of 128; `sectors` is given each sector's number, once.
struct Sectors {
  std::uint64_t number[32];
  int count = 0, lines = 0;
  int ideal = 0;  ///< the fewest that could hold what was asked for, of these
};
void find_sectors(const Request& request, Sectors& sectors);

// Counts requests, each at its site.

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
