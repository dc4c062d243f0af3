// What a worker prints besides messages, line by line, no more of it than a person can read.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/sweep/workers/worker_failure.hpp"

namespace uotbench {

/// Takes what a worker prints, line by line.
using OnText = std::function<void(std::string_view line)>;

/// How much of a process's text is passed on.
struct TextLimits {
  std::size_t in_a_second = std::size_t{1} << 20, in_all = std::size_t{16} << 20;
  std::size_t in_a_line = std::size_t{16} << 10;
};

class WorkerText {
 public:
  explicit WorkerText(OnText take, const TextLimits& limits = {}) : take_(std::move(take)), limits_(limits) {}

  /// From now on, instead of the first.
  void take(OnText take) { take_ = std::move(take); }
  /// Bytes of a stream that holds nothing but text, cut anywhere.
  void feed(std::string_view bytes);
  /// A line that was cut short ends here.
  void end_line();
  /// A whole line; frames of a crash are kept instead of passed on. What is above the limits is not passed
  /// on, which one line says for each of them.
  void line(std::string_view text);

  /// The last line that has a word, passed on or not; its beginning. Where one began as those do that a
  /// worker of ours says itself before it ends ("uotbench-worker-…"), the last of those.
  const std::string& last() const { return last_; }
  /// The first line that has a word; its beginning.
  const std::string& first() const { return first_; }
  /// Whether it is one of those.
  bool said_own() const;
  /// Where it says that it crashed, innermost first.
  const std::vector<PrintedFrame>& frames() const { return frames_; }
  /// Passes on a line that is not the worker's own.
  void add(std::string_view text);

 private:
  void remember(std::string_view text);
  bool has_room(std::size_t bytes);

  OnText take_;
  TextLimits limits_;
  std::string begun_;  ///< of a line of `feed`
  std::string first_, last_;
  std::vector<PrintedFrame> frames_;
  std::size_t all_ = 0, this_second_ = 0;
  std::chrono::steady_clock::time_point second_ = {};  ///< when it began
  bool told_second_ = false, told_all_ = false;
};

}  // namespace uotbench
