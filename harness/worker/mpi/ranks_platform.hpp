// What a worker of several processes runs on, and the clock that they share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/worker/mpi/clock_offset.hpp"
#include "harness/worker/mpi/ranks.hpp"
#include "harness/worker/platform.hpp"
#include "harness/worker/serve/serve.hpp"
#include "results/base/json.hpp"

namespace uotbench {

// The time of several processes: from the earliest start to the latest end, by one clock, of calls that all
// of them begin at a time that was agreed upon.

/// What the clock knows of the processes' own times; the clock itself lives as long as a case.
struct RankTimes {
  double own = 0, sample = 0;  ///< seconds of all samples: of this process, and from first start to last end
  ClockOffset offset = {};     ///< of this process's clock to rank 0's
};

class RanksClock final : public DeviceClock {
 public:
  /// Called by all processes at once, as all that follows.
  RanksClock(const Ranks& ranks, RankTimes& times);

  const char* name() const override { return "steady"; }
  bool spans_calls() const override { return true; }
  void start() override;
  double stop() override;
  void mark() override;
  std::vector<double> marks() override;
  void evict() override;
  double agreed(double seconds) const override;

 private:
  const Ranks& ranks_;
  RankTimes& times_;
  double start_ = 0;
  std::vector<double> marks_;
  std::optional<Evictor> evictor_;
};

/// This process's clock to rank 0's. Called by all at once.
ClockOffset offset_to_first(const Ranks& ranks);

// What a worker of several processes runs on.

class RanksPlatform final : public Platform {
 public:
  explicit RanksPlatform(const Ranks& ranks) : ranks_(ranks) {}

  /// Throws Error where the point is of another number of processes.
  void enter(const Point& point) override;
  Json hello() const override { return Json::object(); }
  std::unique_ptr<DeviceClock> clock() const override {
    return std::make_unique<RanksClock>(ranks_, *times_);
  }
  /// Which process was where, and how far their times are apart.
  Json usage() override;
  void gather(Json& env) const override;
  /// A clock that moved, or is not known well enough.
  std::vector<std::string> warnings() const override;

 private:
  const Ranks& ranks_;
  std::unique_ptr<RankTimes> times_ = std::make_unique<RankTimes>();
};

// main() of a worker of several processes.

/// Serves, or, where it is one process that was started by hand, does what is on its command line. Returns
/// the exit code.
int ranks_main(int argc, char** argv, const Build& build);

}  // namespace uotbench
