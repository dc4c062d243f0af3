// How a process ended, and what that says of it.
#pragma once

#include <optional>
#include <string>

namespace uotbench {

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

}  // namespace uotbench
