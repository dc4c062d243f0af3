// Is a result right?
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "harness/worker/oracle/family.hpp"
#include "kernels/uot/oracle/application.hpp"
#include "kernels/uot/oracle/reference.hpp"
#include "kernels/uot/oracle/solution.hpp"

namespace uotbench::uot {

class Judge {
 public:
  /// Compares what is in the folder `outputs`, made as `specs` say, with the reference for `inputs`.
  /// `problem` is the point without the axes that change nothing about it; it holds fi.
  template <class Real>
  Judgement judge(const Point& problem, const std::filesystem::path& inputs,
                  const std::filesystem::path& outputs, const std::vector<ArraySpec>& specs,
                  const Claim& claim);

  /// To be called when a folder of inputs is written: it holds another problem from now on.
  void forget() {
    known_.clear();
    solved_.clear();
    applications_.forget();
  }

 private:
  /// One for each item of a batch.
  template <class Real>
  const std::vector<Reference>& references(const Point& problem, const std::filesystem::path& folder,
                                           Arrays& inputs, int iterations);
  /// Of a solve: its plan against the solution's. Throws Error where the oracle has none.
  template <class Real>
  Judgement judge_solve(const Point& problem, const std::filesystem::path& inputs, Arrays& got,
                        const Claim& claim);

  struct Known {
    std::filesystem::path folder;
    Point problem;
    int iterations;
    std::vector<Reference> references;
  };
  /// Of the last inputs, one for each number of iterations asked for: the variants of a group share them.
  std::vector<Known> known_;
  struct Solved {
    std::filesystem::path folder;
    Point problem;
    Solution solution;
  };
  std::vector<Solved> solved_;  ///< likewise
  ApplicationJudge applications_;
};

}  // namespace uotbench::uot
