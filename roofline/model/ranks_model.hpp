// How long an iteration takes over processes, measured or not: the matrix, from the cache that holds a node's
// part of it, and the exchange (exchange_model.hpp) after it. The processes of a node hinder each other at
// its memory as the roofs of one CPU and of several tell (contention.hpp).
#pragma once

#include <optional>

#include "roofline/model/exchange_model.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {

/// Who computes.
struct Nodes {
  const Ceilings* ceilings;
  Caches caches;                        ///< of a node
  double ranks_of_node;                 ///< at most
  std::optional<Network> network = {};  ///< absent: between nodes it costs what it costs within one
};

/// An iteration of a variant over processes.
struct RanksWork {
  Work work;  ///< of all of them
  std::string dtype;
  double threads = 1;  ///< of a process
  double calls = 0;    ///< of Allreduce, of a process
  double bytes = 0;    ///< of a call
  double share = 1;    ///< of its own roof that one process alone reaches

  /// Of a case; absent: its work counts no messages.
  static std::optional<RanksWork> of(const Record& record);
};

struct RanksTime {
  std::string level;  ///< where a node's part of the matrix lives
  double matrix = 0;  ///< seconds
  double exchange = 0;
  double seconds() const { return matrix + exchange; }
};

/// Absent: these nodes have no roofs for so many CPUs. Nothing overlaps: where a variant computes while it
/// exchanges, this is the most that it takes.
std::optional<RanksTime> time_over(const RanksWork& work, double ranks, const Nodes& nodes,
                                   const ExchangeCosts& exchange);

/// Seconds of a timed case in the launch that was disturbed the least, as roofs are of the quickest sample:
/// the model is given such times, and held against such.
double quickest_launch(const CaseView& member);

/// The share of its own roof that each process of a timed case reaches: what is not exchange, held against
/// the roof. Absent: no roof, or no time.
std::optional<double> share_of_roof(const CaseView& member, const Nodes& nodes,
                                    const ExchangeCosts& exchange);

}  // namespace uotbench
