// Where a worker crashed: functions and lines of what it printed (docs/reference/protocol.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uotbench {

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
