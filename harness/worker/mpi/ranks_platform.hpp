// What a worker of several processes runs on.
#pragma once

#include <memory>

#include "harness/worker/mpi/ranks_clock.hpp"
#include "harness/worker/platform.hpp"
#include "results/base/json.hpp"

namespace uotbench {

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

}  // namespace uotbench
