// Applications from end to end (shared/applications/application.hpp): their inputs, and whether their results
// are right.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/worker/oracle/family.hpp"

namespace uotbench::uot {

/// Whether the point has one. Throws Error where its data have none, or other axes contradict it.
bool has_application(const Point& point);

/// What an application is given in addition to a, b, X and Y.
std::vector<ArraySpec> application_inputs(const Point& point);
template <class Real>
void fill_application(const Point& point, Arrays& inputs);

std::vector<ArraySpec> application_outputs(const Point& point);

class ApplicationJudge {
 public:
  template <class Real>
  Judgement judge(const Point& problem, const std::filesystem::path& inputs,
                  const std::filesystem::path& outputs, const Claim& claim);
  /// When a folder of inputs is written.
  void forget() { known_.clear(); }

 private:
  /// In double.
  struct Right {
    std::vector<double> moved, answer;
  };
  struct Known {
    std::filesystem::path folder;
    Point problem;
    Right right;
  };
  template <class Real>
  const Right& right(const Point& problem, const std::filesystem::path& folder, Arrays& inputs);

  std::vector<Known> known_;
};

}  // namespace uotbench::uot
