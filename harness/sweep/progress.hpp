// What a person sees while a sweep runs: one line that moves on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include "results/record.hpp"

namespace uotbench {

class Progress {
 public:
  enum class Style { terminal, plain, quiet };
  /// terminal where `out` is one, else plain; quiet on demand.
  static Style style_for(std::FILE* out, bool quiet);

  Progress(std::FILE* out, Style style, std::size_t cases, double steps);

  /// What is being done now, e.g. "judging", "round 2 of 3".
  void doing(const std::string& id, const std::string& what);
  /// `steps` of the work are done (judging a case is one, each of its rounds another).
  void advance(double steps);
  /// A case's record is there.
  void finished(const Record& record);
  /// A line that a worker printed.
  void text(std::string_view id, std::string_view line);
  /// Wipes the moving line.
  void close();

 private:
  void draw();
  std::string time_left() const;

  std::FILE* out_;
  Style style_;
  std::size_t cases_, done_ = 0, bad_ = 0;
  double steps_, steps_done_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::string now_;
};

}  // namespace uotbench
