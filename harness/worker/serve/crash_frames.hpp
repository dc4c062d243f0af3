// Where a worker was when it crashed, or was asked.
#pragma once

#include <string>

namespace uotbench {

/// From now on a SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT of this process prints its call chain on stderr,
/// a line "uotbench-worker-NAME: frame FILE+0xOFFSET" for each program or library and the offset in it,
/// innermost first; then the process ends by that signal, as it would have. A SIGQUIT does the same and ends
/// it with code 131. The parent turns offsets into functions and lines.
void print_frames_of_crashes(const std::string& name);

}  // namespace uotbench
