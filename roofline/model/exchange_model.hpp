// What it takes processes to exchange sums, from what messages take: the LogGP model (Alexandrov, Ionescu,
// Schauser, Scheiman 1997) with parameters that depend on the size (Kielmann, Bal, Verstoep 2000), and
// Allreduce made of such messages (Thakur, Rabenseifner, Gropp 2005, section 4.5).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "results/view/view.hpp"
#include "roofline/model/cluster.hpp"

namespace uotbench {

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

}  // namespace uotbench
