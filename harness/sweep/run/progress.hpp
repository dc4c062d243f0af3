// What a person sees while a sweep runs: one line that moves on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>

#include "results/record/record.hpp"

namespace uotbench {

class Progress {
 public:
  enum class Style { terminal, plain, quiet };
  /// terminal where `out` is one, else plain; quiet on demand.
  static Style style_for(std::FILE* out, bool quiet);

  /// `steps`: of the work on one case, if it is right: judging it is one, each of its rounds another.
  /// `there`: of all cases those that an earlier part of the run has done.
  Progress(std::FILE* out, Style style, std::size_t cases, int steps, std::size_t there = 0);

  /// What is being done now, e.g. "judging", "round 2 of 3".
  void doing(const std::string& id, const std::string& what);
  /// One more step of a case in work is done.
  void advance();
  /// A case's record is there.
  void finished(const Record& record);
  /// The same of a case whose worker cannot run here: said once a worker.
  void left_out(const Record& record);
  /// A line that a worker printed.
  void text(std::string_view id, std::string_view line);
  /// Wipes the moving line.
  void close();

 private:
  void draw();
  std::string time_left() const;

  std::FILE* out_;
  Style style_;
  std::size_t cases_, there_, done_ = there_, bad_ = 0;
  int steps_;
  int in_work_ = 0;  ///< steps done of cases whose records are not there yet
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::string id_, what_;           ///< done now
  std::string rate_;                ///< bandwidth of the last case whose work moves bytes
  std::set<std::string> left_out_;  ///< workers of which it was said
};

}  // namespace uotbench
