// How long an iteration takes over the threads of another machine, of which a specification tells the cores,
// the caches and the roofs: one core does what it was measured to do alone, its like stand before the memory
// (contention.hpp), and what threads have of each other comes besides.
#pragma once

#include <optional>
#include <string>

#include "roofline/model/model.hpp"

namespace uotbench {

/// An iteration of a variant over threads.
struct ThreadsWork {
  Work work;
  std::string dtype;
  double alone = 0;                   ///< seconds of one thread, measured
  std::optional<double> shared = {};  ///< bytes that each of several threads has of others, counted
};

struct ThreadsTime {
  std::string level;   ///< where the working set lives
  double matrix = 0;   ///< seconds
  double between = 0;  ///< seconds of what threads have of each other
  std::string bound;   ///< "a core", "L3", "DRAM", "flops" or "other cores": which of them alone takes most
  double seconds() const { return matrix + between; }
};

/// On `machine`, whose specification tells of a node (Ceilings::cluster). Bytes of other threads come at the
/// rate of DRAM: both pass the fabric between the last-level caches. Absent: it tells of no node, or of no
/// bandwidth.
std::optional<ThreadsTime> time_on(const ThreadsWork& work, int threads, const Ceilings& machine);

}  // namespace uotbench
