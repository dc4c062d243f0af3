// The processes that a program started, and those that they started.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace uotbench {

// All processes that come of one start. A launcher puts those that it starts into process groups and sessions
// of their own; what they all keep is their environment.

class ProcessTree {
 public:
  /// A mark that no other start has. What is started with `variable()` in its environment is a member.
  ProcessTree();

  /// NAME=VALUE; the value begins with this process' number and a '-'.
  const std::string& variable() const { return variable_; }
  /// Those that live, by what /proc tells: none where it tells nothing, or not of other users' processes.
  /// What was seen to be none a moment ago is not looked at again. Where a process is just replacing its
  /// program, it waits for that, for 0.1 s at most.
  std::vector<pid_t> alive();
  /// Kills all that live, and those that they start meanwhile. Returns once they are gone, or cannot be
  /// ended.
  void end();

 private:
  enum class Tie { member, none, unknown };
  Tie tie_to(pid_t pid) const;
  /// `members`: those that live. `unknown`: /proc does not show of some process right now whether it is one.
  struct Seen {
    std::vector<pid_t> members;
    bool unknown = false;
  };
  Seen look();

  std::string variable_;
  std::set<pid_t> met_;            ///< all that ever were found
  std::set<pid_t> others_;         ///< none of these
  std::string last_number_;        ///< given to a process before the last look at all; empty: look at all
  std::vector<pid_t> candidates_;  ///< what else there was at that look
  std::chrono::steady_clock::time_point forget_others_at_ = {};
};

/// What the mark of every start by this process begins with.
std::string own_mark();

/// Takes the mark of a process tree out of an environment that another process is to have.
void disown(std::vector<std::string>& environment);

/// From now on orphans among all that this process starts become its children: it can wait for them.
void adopt_orphans();

/// Whether a thread of the process has children that live, by what /proc tells: false where it tells nothing.
bool has_children(pid_t pid);

/// What a process calls itself (prctl(PR_SET_NAME)), by default its program; empty: it is gone.
std::string name_of_process(pid_t pid);

/// For a process that a launcher started: from now on it is killed when that ends, however it does. False:
/// that has ended already.
bool end_with_parent();

// Processes that left the one which started them and dropped the mark that tells whose they are.

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
