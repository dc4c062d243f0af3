// What a person should know of the MPI here before trusting a time.
#pragma once

#include <string>

#include "harness/worker/mpi/ranks.hpp"

namespace uotbench {

/// In a line: launcher, library, where the processes may run, and between the first two what a message takes.
/// All processes call it; the first has the line, the others an empty one.
std::string examined(const Ranks& ranks);

/// Where this process may run: "0", "0-3", "0,2".
std::string allowed_cpus();

}  // namespace uotbench
