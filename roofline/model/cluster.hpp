// What a specification tells of nodes that a network joins, and what others published of processes on them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/base/document.hpp"

namespace uotbench {

/// A node's link, one way.
struct Network {
  double latency = 0;           ///< seconds of the shortest message
  double bytes_per_second = 0;  ///< of long ones
};

struct PublishedSpeedup {
  std::string variant;
  int ranks = 1;
  int ranks_of_node = 1;
  double speedup = 1;
};

struct Cluster {
  int cores = 1;                        ///< of a node
  Document caches = {};                 ///< of a node, as a run's first line has them
  std::optional<Network> network = {};  ///< absent: a node is all
  std::string source = {};              ///< of what was published
  ObjectDocument problem = {};          ///< axes of the published problem: {"M": 20480, …}
  std::string over = {};                ///< the variant whose one process speedups are over
  std::vector<PublishedSpeedup> published = {};
};

/// From the keys node, network and published of a machine's specification; absent: it has no node. Throws
/// Error naming what is missing or wrong.
std::optional<Cluster> cluster_from(const Json& specification);

}  // namespace uotbench
