// Processes that left the one which started them and dropped the mark that tells whose they are.
#pragma once

#include <sys/types.h>

#include <vector>

namespace uotbench {

/// fork(); the child is known, and no stray, from the moment that it exists.
pid_t fork_known();
/// The child has been waited for.
void forget_known(pid_t pid);

/// All processes below this one that live, by what /proc tells, whatever their environment and group.
std::vector<pid_t> descendants(pid_t pid);

/// Ends all children of this process that it did not start itself and that have no start's mark
/// (ProcessTree): orphans of its children become its own (adopt_orphans), also those that began with another
/// environment. Programs in this process's own process group are its business and stay.
void end_strays();

}  // namespace uotbench
