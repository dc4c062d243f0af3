// What is right: bit by bit for copy, scale and xpxpyn, near the reference for the others.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "harness/worker/oracle/family.hpp"
#include "kernels/stencil/oracle/reference.hpp"

namespace uotbench::stencil {

class Judge {
 public:
  /// New inputs: what was computed from the old ones is worth nothing.
  void forget() { right_.clear(); }

  template <class Real>
  Judgement judge(const Point& problem, const std::filesystem::path& inputs,
                  const std::filesystem::path& outputs, const Claim& claim);

 private:
  template <class Real>
  const std::vector<Field>& right(const Point& problem, const std::filesystem::path& inputs,
                                  std::int64_t steps);

  Point problem_;
  std::map<std::int64_t, std::vector<Field>> right_;  ///< by steps, of problem_
};

extern template Judgement Judge::judge<float>(const Point&, const std::filesystem::path&,
                                              const std::filesystem::path&, const Claim&);
extern template Judgement Judge::judge<double>(const Point&, const std::filesystem::path&,
                                               const std::filesystem::path&, const Claim&);

}  // namespace uotbench::stencil
