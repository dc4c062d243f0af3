// What a worker prints, how its process ends, and where it crashed.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/violation.hpp"
#include "results/record/record.hpp"

namespace uotbench {

// How a process ended, and what that says of it.

struct ProcessEnd {
  std::optional<int> code = {};  ///< that it exited with; absent: it did not exit
  int signal = 0;                ///< that killed it; 0: none did
  std::string text = {};         ///< "exited with code 0", "killed by SIGSEGV (Segmentation fault)"
};

/// Of a status that waitpid() gave.
ProcessEnd end_of(int status);

/// A likely cause of that signal: ": built for an instruction set that this CPU lacks?"; empty: none is
/// known.
std::string cause_of(int signal);

// Why a worker gave no answer that can be used.

/// A worker that did not answer as it should: what that makes of the case, and why.
class WorkerFailure : public Error {
 public:
  WorkerFailure(Status status, const std::string& reason) : Error(reason), status(status), reason(reason) {}
  WorkerFailure(Status status, const Violation& violation)
      : Error(violation.text), status(status), reason(violation.text), violation(violation) {}

  /// Of its reason: the text of an exception may have several lines.
  std::string first_line() const { return reason.substr(0, reason.find('\n')); }

  Status status;                            ///< skipped, crashed, timeout or failed
  std::string reason;                       ///< as the worker or its parent gave it
  std::optional<Violation> violation = {};  ///< the reason in its parts, where it says what was expected
  int signal = 0;                           ///< that ended the process; 0: none did
};

/// The same, with `place` before its reason.
WorkerFailure at_place(const std::string& place, const WorkerFailure& failure);

// Where a worker crashed: functions and lines of what it printed (docs/reference/protocol.md).

/// An instruction, as a worker prints it: "uotbench-worker-NAME: frame FILE+0xOFFSET".
struct PrintedFrame {
  std::string file;    ///< a program or a library
  std::string offset;  ///< in it, hexadecimal
};
/// Absent where the line is something else.
std::optional<PrintedFrame> printed_frame(std::string_view line);

struct CallFrame {
  std::string function;  ///< without namespaces of uotbench and arguments; empty: not known
  std::string line;      ///< FILE:LINE; empty: not known
  bool system = false;   ///< in a library of the system
};
/// "uot::Mine::iterate (kernels/uot/mine.hpp:31)"
std::string text_of(const CallFrame& frame);

/// The call chain, innermost first, what was inlined included, as addr2line knows it; only what is known.
/// Empty where there is no addr2line.
std::vector<CallFrame> frames_from(const std::vector<PrintedFrame>& printed);

/// The innermost frame that is neither the system's nor the harness's; else the innermost function of the
/// program.
std::optional<CallFrame> place_of_crash(const std::vector<CallFrame>& frames);

// What a worker prints besides messages, line by line, no more of it than a person can read.

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
