// What one instruction of a warp asks of memory.
#pragma once

#include <cstdint>

#include "harness/trace/warps/warps.hpp"

namespace uotbench::trace {

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

}  // namespace uotbench::trace
