// How a worker's process ended, and where it crashed.
#pragma once

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

}  // namespace uotbench
