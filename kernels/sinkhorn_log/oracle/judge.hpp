// Is a result right, item by item?
#pragma once

#include <filesystem>
#include <vector>

#include "harness/worker/oracle/family.hpp"
#include "kernels/sinkhorn_log/oracle/reference.hpp"
#include "kernels/sinkhorn_log/oracle/spread.hpp"

namespace uotbench::sinkhorn_log {

class Judge {
 public:
  /// Compares what is in the folder `outputs`, made as `specs` say, with the reference for `inputs`; where
  /// the problem is solved, looks at the solution itself. `problem` is the point without the axes that change
  /// nothing about it.
  template <class Real>
  Judgement judge(const Point& problem, const std::filesystem::path& inputs,
                  const std::filesystem::path& outputs, const std::vector<ArraySpec>& specs,
                  const Claim& claim);

  /// To be called when a folder of inputs is written: it holds another problem from now on.
  void forget() { known_.clear(); }

 private:
  struct Known {
    std::filesystem::path folder;
    Point problem;
    int iterations;
    Reference reference;
    std::vector<Spread> spreads;  ///< of the items
  };
  template <class Real>
  const Known& known(const Point& problem, const std::filesystem::path& folder, Arrays& inputs,
                     const Costs<Real>& costs, const Masses& masses, int iterations);

  /// Of the last inputs: the variants of a group share them.
  std::vector<Known> known_;
};

}  // namespace uotbench::sinkhorn_log
