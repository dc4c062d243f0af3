// Child processes: how one is started, what connects it to this one, and its end; and the processes that a
// program started, with those that they started.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/whole_file.hpp"

namespace uotbench {

// All processes that come of one start. A launcher puts those that it starts into process groups and sessions
// of their own; what they all keep is their environment.

class ProcessTree {
 public:
  /// A mark that no other start has. What is started with `variable()` in its environment is a member.
  ProcessTree();

  /// NAME=VALUE; the value begins with this process' number and a '-'.
  const std::string& variable() const { return variable_; }
  /// Those that live, as /proc lists them: none without /proc, or where it hides other users' processes.
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

/// Whether a thread of the process has children that live, as /proc lists them: false without /proc.
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

/// The program is not there or cannot be run. Its text: "PROGRAM cannot be started: REASON".
class StartFailure : public Error {
 public:
  StartFailure(const std::string& program, const std::string& reason)
      : Error(program + " cannot be started: " + reason), reason_(reason) {}
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// This process may have no more children or pipes: a limit of the system or of the user.
class NoProcess : public Error {
  using Error::Error;
};

/// What one of a child's standard streams is.
struct ChildStream {
  enum class Kind {
    shared,   ///< this process' own
    nothing,  ///< /dev/null
    pipe,     ///< the other end is a member of ChildProcess
    file      ///< `file`
  };
  Kind kind = Kind::nothing;
  int file = -1;  ///< open here; stays open
};

struct ChildStart {
  enum class Group {
    shared,  ///< this process' group
    own,     ///< leads one: Ctrl-C in a terminal is not for it, and what is left of it at its end is killed
    session  ///< of a session of its own: what it had started may outlive it
  };
  std::vector<std::string> command;  ///< the program, looked up on PATH, and its arguments
  std::optional<std::vector<std::string>> environment = {};  ///< NAME=VALUE, all of it; absent: as here
  std::filesystem::path folder = {};                         ///< where it runs; empty: here
  std::vector<int> cpus = {};                                ///< it is confined to these; empty: not confined
  Group group = Group::shared;
  /// What it starts is told by a mark in its environment, in whatever group it is (ProcessTree): all of it
  /// ends with it.
  bool owns_process_tree = false;
  bool dies_with_parent = true;       ///< killed when the thread that starts it ends, however it does
  bool first_without_memory = false;  ///< the kernel ends it rather than this process
  ChildStream in = {}, out = {}, errors = {};
  bool errors_to_out = false;  ///< its stderr goes where its stdout does; `errors` is not used
};

class ChildProcess {
 public:
  /// Returns once the program runs. Throws StartFailure where it does not, NoProcess where there is no
  /// process or no pipe to be had.
  explicit ChildProcess(const ChildStart& start);
  /// Kills it, unless it has ended.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  Fd in, out, errors;  ///< this process' ends of its pipes

  pid_t pid() const { return pid_; }
  /// Whether it had not ended when it was last looked at.
  bool alive() const { return !ended_; }
  /// Looks whether it has ended.
  bool has_ended();
  void wait();
  /// To its group, where it leads one.
  void signal(int number) const;
  /// It and, where it owns its process tree, all that came of it: those that live.
  std::vector<pid_t> processes();
  /// Stops it and all that came of it (SIGSTOP); what it started meanwhile, too.
  void pause();
  void resume();
  /// Asks it to end (SIGTERM) and waits so long; then kills it. Before, asks those that came of it and are in
  /// groups of their own, and gives it ten times as long to pass on what they say last.
  void end(std::chrono::milliseconds patience);
  void kill();

  /// As waitpid() has it, once it has ended.
  int status() const { return status_; }
  /// Its exit code; 128 and the signal's number where one ended it.
  int code() const;

 private:
  void look(int options);

  ChildStart::Group group_;
  std::optional<ProcessTree> tree_;
  std::set<pid_t> paused_;
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

// Which signals a process has handlers for.

/// Whether it catches the signal, by proc_pid_status(5); false where it is gone, and for signals that it
/// ignores. `root`: of the file system that has /proc.
bool catches(pid_t pid, int signal, const std::filesystem::path& root = "/");

}  // namespace uotbench
