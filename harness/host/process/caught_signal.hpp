// Which signals a process has handlers for.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace uotbench {

/// Whether it catches the signal, by proc_pid_status(5); false where it is gone, and for signals that it
/// ignores. `root`: of the file system that has /proc.
bool catches(pid_t pid, int signal, const std::filesystem::path& root = "/");

}  // namespace uotbench
