// Is a result right?
#pragma once

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "harness/worker/oracle/family.hpp"
#include "kernels/match/oracle/reference.hpp"

namespace uotbench::match {

class Judge {
 public:
  /// At most `multiply_adds` are made in a search.
  explicit Judge(double multiply_adds = most_multiply_adds) : multiply_adds_(multiply_adds) {}

  /// Compares what is in the folder `outputs`, made as `specs` say, with the reference for `inputs`.
  /// `problem` is the point without the axes that change nothing about it.
  Judgement judge(const Point& problem, const std::filesystem::path& inputs,
                  const std::filesystem::path& outputs, const std::vector<ArraySpec>& specs,
                  const Claim& claim);

  /// To be called when a folder of inputs is written: it holds another problem from now on.
  void forget() { known_.reset(); }

 private:
  struct Known {
    std::pair<std::filesystem::path, Point> key;  ///< the folder and the problem
    std::vector<Best> best;
    std::vector<double> query_lengths, candidate_lengths;
  };
  const Known& reference(const Point& problem, const std::filesystem::path& folder, const Sets& sets);

  double multiply_adds_;
  std::optional<Known> known_;  ///< of the last inputs: the variants of a group share it
};

}  // namespace uotbench::match
