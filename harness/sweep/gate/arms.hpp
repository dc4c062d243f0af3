// The arms of an A/B comparison of two builds: a baseline, a candidate, and a copy of the baseline as
// control.
#pragma once

#include <string>
#include <vector>

#include "harness/host/process/temporary_folder.hpp"
#include "harness/sweep/workers/manifest.hpp"

namespace uotbench {

struct Arm {
  std::string name;    ///< baseline, candidate, control: see results/record/arm.hpp
  std::string letter;  ///< A, B, A': as the samples of its processes are marked
  std::vector<Manifest> manifests;
};

/// A folder for copies of programs, removed with them; those of killed gates are removed by the next.
class StagedPrograms {
 public:
  /// Throws Error where TMPDIR (default: /tmp) takes no folder.
  StagedPrograms();

  /// The manifests of workers that are timed, with their programs replaced by copies of them (and of files
  /// beside them whose names begin with the program's and a dot). What is no ELF program is launched as it
  /// is: a copy of an interpreter finds none of its files. `notes` gets a line for each of these.
  std::vector<Manifest> copies(const std::vector<Manifest>& manifests, std::vector<std::string>& notes) const;

 private:
  LockedFolder folder_;
};

/// Makes what the kernel puts at the top of a new process's stack (arguments, the program's path,
/// environment) equally long for the workers of the same name, by a variable that nobody reads: its length
/// alone moves the stack, and times by percents (Mytkowicz, Diwan, Hauswirth, Sweeney, "Producing wrong data
/// without doing anything obviously wrong!", ASPLOS 2009, section 4).
void make_equally_long(const std::vector<Arm*>& arms);

/// What an arm's worker itself puts there, besides this program's own environment: bytes.
std::size_t stack_bytes(const Manifest& manifest);

}  // namespace uotbench
