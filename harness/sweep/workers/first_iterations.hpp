// How long the first iterations after the inputs take, by the worker's own clock.
#pragma once

#include <optional>
#include <vector>

#include "harness/sweep/workers/outside.hpp"

namespace uotbench {

/// Seconds of iterations as an answer reports them. Throws WorkerFailure where they are more than the
/// `passed` seconds until that answer.
std::vector<double> possible_seconds(const std::vector<double>& seconds, double passed);

/// A kernel may stop working once it has converged, and an honest clock then measures nothing. Its first
/// iterations it has to make. Each is taken as its shortest of several proofs, so that no interrupt counts.
class FirstIterations {
 public:
  explicit FirstIterations(int steps) : steps_(steps) {}

  void add(const std::vector<double>& seconds);
  /// Seconds of the slowest iteration; the first is left out, as it wakes threads and fills caches. Absent:
  /// not reported.
  std::optional<double> slowest() const;
  /// Their median, likewise.
  std::optional<double> typical() const;
  /// No by the slowest. Doubtful by their median: caches, and a large L3 of many guests most of all, may take
  /// some iterations to fill.
  Plausible plausible(double reported) const;

 private:
  int steps_;                     ///< iterations a call
  std::vector<double> shortest_;  ///< seconds of a call
};

}  // namespace uotbench
