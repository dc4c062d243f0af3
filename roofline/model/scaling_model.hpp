// How long an iteration takes over more processes, or over the threads of another machine, measured or not.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/view/view.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {

// Processes that share a memory, as customers share a counter: a closed queueing network of one server,
// solved by mean value analysis (Reiser, Lavenberg 1980, doi 10.1145/322186.322195). Of the time that one
// process alone takes, a part is at the counter, where others may stand before it; all else goes on beside
// them.

/// Seconds of a work that `processes` share evenly, where one alone takes `alone`, `demand` of it at the
/// counter.
double time_together(double alone, double demand, int processes);

/// The demand of a work that one process does in `alone` and `processes` together in `together`: 0 where they
/// do not hinder each other, `alone` where they gain nothing.
double demand_between(double alone, double together, int processes);

// What it takes processes to exchange sums, from what messages take: the LogGP model (Alexandrov, Ionescu,
// Schauser, Scheiman 1997) with parameters that depend on the size (Kielmann, Bal, Verstoep 2000), and
// Allreduce made of such messages (Thakur, Rabenseifner, Gropp 2005, section 4.5).

/// Seconds by bytes, as measured at some sizes.
struct SecondsBySize {
  std::map<double, double> measured;
  /// On the straight line between the sizes around it; beyond the largest, that of the largest two.
  double at(double bytes) const;
  double latency() const { return measured.begin()->second; }  ///< L + 2o of LogGP: of the least size
  double per_byte() const;                                     ///< G: between the largest two sizes
};

/// What ceiling/pingpong and ceiling/allreduce over two processes tell.
struct ExchangeCosts {
  SecondsBySize message;  ///< to a neighbour: there and back, halved
  SecondsBySize step;     ///< both ways at once, and added up: an Allreduce of two processes
};

/// From the timed cases of both over two processes, in any of the runs; absent: one of them lacks two sizes.
std::optional<ExchangeCosts> exchange_costs(const std::vector<const RunView*>& views);

/// Seconds of one Allreduce of so many bytes over `ranks` processes with at most `ranks_of_node` of them on a
/// node: within the nodes, then between them, each by recursive doubling or by Rabenseifner's algorithm,
/// whichever takes less. 0 for one process. Without a network, nodes exchange as neighbours on one do.
double allreduce_seconds(const ExchangeCosts& costs, const std::optional<Network>& network, double bytes,
                         double ranks, double ranks_of_node);

// How long an iteration takes over processes: the matrix, from the cache that holds a node's part of it, and
// the exchange after it. The processes of a node hinder each other at its memory as the roofs of one CPU and
// of several tell.

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

// How long an iteration takes over the threads of another machine, of which a specification tells the cores,
// the caches and the roofs: one core does what it was measured to do alone, its like stand before the memory,
// and what threads have of each other comes besides.

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
