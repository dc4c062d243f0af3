// Programs in PATH, and how they are run to their end.
#pragma once

#include <csignal>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace uotbench {

// Commands to paste, and where programs are.

/// "sudo ", or nothing where we are root already (a bare container has no sudo).
std::string sudo();
/// Whether the file is there and may be run.
bool is_program(const std::filesystem::path& file);
/// Where the program is found in PATH; empty: nowhere.
std::filesystem::path program_in_path(const std::string& name);

// A program that is run to its end, for what it says and how it ends.

struct ProgramRun {
  std::vector<std::string> command;           ///< the program, looked up on PATH, and its arguments
  std::filesystem::path folder = {};          ///< where it runs; empty: here
  std::vector<std::string> environment = {};  ///< NAME=VALUE over this process' own; NAME alone: without it
  double seconds = std::numeric_limits<double>::infinity();
  bool errors_apart = false;  ///< stderr goes to Ended::errors
  /// It leads a process group of its own, and what is left of that when it ends is ended, too. Else it is in
  /// this process' group.
  bool own_group = false;
  const volatile sig_atomic_t* stop = nullptr;  ///< once it is not 0, the program is ended
  /// What it says, as it comes, in place of Ended::said.
  std::function<void(std::string_view text)> on_said = {};
};

struct Ended {
  int code = 0;          ///< its exit code; 128 and the signal's number where one ended it
  bool in_time = true;   ///< false: it was killed, and what it had started with it
  bool stopped = false;  ///< true: it was ended because `stop` said so
  std::string said;      ///< stdout and, unless they go apart, stderr, as they came
  std::string errors;    ///< stderr, where it goes apart
};

/// Runs it without input, and not longer than this process lives. Throws Error where it cannot be started.
Ended run_program(const ProgramRun& run);

}  // namespace uotbench
