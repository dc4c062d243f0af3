// Is a plan the cheapest, and do its potentials prove it?
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "harness/worker/oracle/family.hpp"
#include "kernels/simplex/oracle/given.hpp"

namespace uotbench::simplex {

class Judge {
 public:
  Judgement judge(const Point& problem, const std::filesystem::path& inputs,
                  const std::filesystem::path& outputs, const std::vector<ArraySpec>& specs,
                  const Claim& claim);

  /// To be called when a folder of inputs is written: it holds another problem from now on.
  void forget() { cost_.reset(), lemon_.reset(); }

 private:
  Judgement judge_solution(const Given& given, Arrays& outputs, const Claim& claim, Judgement judgement);
  Judgement judge_prices(const Given& given, Arrays& outputs, Judgement judgement) const;

  /// Of the last inputs, which the variants of a group share: the cost of a solution that was proved, and
  /// LEMON's.
  std::optional<double> cost_, lemon_;
};

}  // namespace uotbench::simplex
