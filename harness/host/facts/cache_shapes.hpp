// The caches that simulators are given: this machine's, or others.
#pragma once

#include <cstdint>
#include <string>

#include "harness/host/facts/topology.hpp"

namespace uotbench {

struct CacheShape {
  std::uint64_t bytes = 0;
  int ways = 0;
  int line = 64;  ///< bytes
  int cores = 0;  ///< that share one, of several; 0: there is one for all
};

/// Private L1 data and L2 caches of a core, and the L3 that cores share.
struct CacheShapes {
  CacheShape l1, l2, l3;
  /// Why they cannot be simulated, in one line; empty: they can.
  std::string obstacle;
};

/// Of several kinds of core the one whose caches there are more of. A machine with two levels has an L3 of no
/// bytes. Where sizes or associativity are not told there is an obstacle.
CacheShapes cache_shapes(const Topology& topology);

/// "L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16": bytes and ways of each, and bytes of a line where they are not 64.
/// "L3=32MiB/16@8": an L3 for every eight cores.
/// Throws std::invalid_argument saying what is accepted.
CacheShapes parse_cache_shapes(const std::string& text);

/// The nearest cache of which a power of two of sets has this one's ways: what valgrind can simulate, as it
/// takes it: "32768,8,64".
std::string valgrind_shape(const CacheShape& shape);

}  // namespace uotbench
