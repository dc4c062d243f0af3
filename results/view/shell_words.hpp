// Commands that are printed to be pasted into a shell.
#pragma once

#include <string>

namespace uotbench {

/// A text as a shell takes it for one word.
std::string shell_quoted(const std::string& text);

/// A command with the arguments it needs to go on with a run file.
std::string resuming(const std::string& command, const std::string& file);

}  // namespace uotbench
