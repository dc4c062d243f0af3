// Is a barycenter right, item by item?
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "harness/worker/oracle/family.hpp"
#include "kernels/sinkhorn_log/oracle/barycenters.hpp"

namespace uotbench::sinkhorn_log {

class BarycenterJudge {
 public:
  /// As Judge::judge: iterates against those in double, solutions against the fixed point in double.
  template <class Real>
  Judgement judge(const Point& problem, const std::filesystem::path& inputs,
                  const std::filesystem::path& outputs, const std::vector<ArraySpec>& specs,
                  const Claim& claim);

  /// To be called when a folder of inputs is written.
  void forget() { *this = {}; }

 private:
  struct Iterate {
    int iterations;
    Barycenters state;
    std::vector<Spread> spreads;  ///< B S
  };
  template <class Real>
  const Iterate& iterate_after(int iterations, const LogKernel<Real>& kernel, const Mixture& mixture);

  // Of the last inputs: the variants of a group share them.
  std::filesystem::path folder_ = {};
  Point problem_ = {};
  std::vector<Iterate> iterates_ = {};
  std::optional<FixedPoint> fixed_point_ = {};
};

}  // namespace uotbench::sinkhorn_log
