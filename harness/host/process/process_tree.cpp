#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <random>
#include <set>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include "harness/host/process/files.hpp"
#include "harness/host/process/process.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

constexpr const char* tree_variable = "UOTBENCH_KIN";
// Only a member can give another process the mark, so what was found to be none stays none, but for process
// numbers that are given out anew: it is looked at again.
constexpr std::chrono::seconds remembered{1};
// Killed processes give their memory back first: a second for every few hundred GB.
constexpr std::chrono::seconds patience{5};
// A process that replaces its program may have to wait for a CPU. A process of somebody else's may be stuck
// there.
constexpr std::chrono::milliseconds replaced_within{100};

void wait_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

std::vector<pid_t> all_processes() {
  std::vector<pid_t> all;
  std::error_code none;
  for (fs::directory_iterator entry("/proc", none), last; !none && entry != last; entry.increment(none)) {
    const std::string name = entry->path().filename();
    pid_t pid = 0;
    const char* const end = name.data() + name.size();
    if (std::from_chars(name.data(), end, pid).ptr == end) all.push_back(pid);
  }
  return all;
}

/// The number that was given last to a process or thread, by the end of proc_loadavg(5)'s line: while that
/// stays, there is no new one. Empty where the system does not tell.
std::string last_number_given() {
  const std::string line = read_text("/proc/loadavg").value_or("");
  const std::string number = line.substr(line.find_last_of(' ') + 1);
  return number == "0\n" ? "" : number;
}

/// Whether a process that shows no environment may have one all the same: it lives, is no thread of the
/// kernel, and was not started with none. By /proc/PID/stat, whose fields proc_pid_stat(5) numbers.
bool may_have_an_environment(pid_t pid) {
  const std::string stat = read_text(fmt::format("/proc/{}/stat", pid)).value_or("");
  const auto name_ends = stat.rfind(')');
  if (name_ends == std::string::npos) return false;
  std::istringstream rest(stat.substr(name_ends + 1));
  const std::vector<std::string> fields{std::istream_iterator<std::string>(rest), {}};  // from the third on
  const auto field = [&](std::size_t number) {
    return number - 3 < fields.size() ? std::strtoull(fields[number - 3].c_str(), nullptr, 10) : 0;
  };
  const std::string state = fields.empty() ? "X" : fields[0];
  const auto flags = field(9);
  constexpr unsigned long long kernel_thread = 0x00200000,
                               exiting = 0x4;  // PF_… of the kernel's linux/sched.h
  if (state == "Z" || state == "X" || (flags & (kernel_thread | exiting))) return false;
  // The kernel lays out a new program's environment, and notes where, before it notes where the code is.
  const bool laid_out = field(26) != 0;
  const auto begins = field(50), ends = field(51);
  return !laid_out || begins != ends;
}

constexpr std::chrono::seconds gone_within{5};
constexpr std::chrono::milliseconds shown_within{100};

std::mutex mutex;
std::set<pid_t>& known() {
  static auto* const pids = new std::set<pid_t>;  // children may end after this program's other statics
  return *pids;
}

/// Of all threads of a process; none where it is gone, or the kernel does not list them.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> all;
  std::error_code none;
  for (fs::directory_iterator thread(fmt::format("/proc/{}/task", parent), none), last;
       !none && thread != last; thread.increment(none)) {
    std::istringstream list(read_text(thread->path() / "children").value_or(""));
    for (pid_t pid; list >> pid;) all.push_back(pid);
  }
  return all;
}

/// A zombie is a child, too. proc_pid_stat(5): the state follows the name's parenthesis.
bool has_died(pid_t pid) {
  const std::string stat = read_text(fmt::format("/proc/{}/stat", pid)).value_or("");
  const auto name_ends = stat.rfind(") ");
  return name_ends == std::string::npos || stat.compare(name_ends + 2, 1, "Z") == 0;
}

/// Whether it began with no mark of this process. One that is replacing its program shows no environment for
/// a moment; one that shows none for longer has none, and so no mark.
bool is_unmarked(pid_t pid) {
  const auto late = std::chrono::steady_clock::now() + shown_within;
  for (;;) {
    if (has_died(pid)) return false;
    const auto environment = read_bytes(fmt::format("/proc/{}/environ", pid));
    if (!environment) return false;  // gone, or another user's
    if (!environment->empty()) return environment->find(own_mark()) == std::string::npos;
    if (std::chrono::steady_clock::now() > late) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

ProcessTree::ProcessTree() {
  std::random_device random;
  variable_ = fmt::format("{}{:08x}{:08x}", own_mark(), random(), random());
}

ProcessTree::Tie ProcessTree::tie_to(pid_t pid) const {
  const auto environment = read_bytes(fmt::format("/proc/{}/environ", pid));
  if (!environment) return Tie::none;  // gone, or another user's
  if (environment->find(variable_) != std::string::npos) return Tie::member;
  // A process that is just replacing its program shows no environment.
  return environment->empty() && may_have_an_environment(pid) ? Tie::unknown : Tie::none;
}

ProcessTree::Seen ProcessTree::look() {
  if (const auto now = Clock::now(); now >= forget_others_at_) {
    others_.clear();
    last_number_.clear();
    forget_others_at_ = now + remembered;
  }
  const std::string before = std::exchange(last_number_, last_number_given());
  if (last_number_.empty() || last_number_ != before) candidates_ = all_processes();
  Seen seen;
  for (const pid_t pid : std::exchange(candidates_, {})) {
    if (others_.contains(pid)) continue;
    candidates_.push_back(pid);
    switch (tie_to(pid)) {
      case Tie::member:
        seen.members.push_back(pid);
        met_.insert(pid);
        break;
      case Tie::none:
        others_.insert(pid);
        break;
      case Tie::unknown:
        seen.unknown = true;
        break;
    }
  }
  return seen;
}

std::vector<pid_t> ProcessTree::alive() {
  const auto late = Clock::now() + replaced_within;
  Seen seen = look();
  for (; seen.unknown && Clock::now() < late; seen = look()) wait_a_moment();
  return seen.members;
}

void ProcessTree::end() {
  const auto late = Clock::now() + patience;
  for (;; wait_a_moment()) {
    others_.clear();
    last_number_.clear();
    const auto left = look();
    for (const pid_t pid : left.members) ::kill(pid, SIGKILL);
    if ((left.members.empty() && !left.unknown) || Clock::now() > late) break;
  }
  // Orphans became children of this process, where it adopts them: without a look they would stay as zombies.
  // Of others there is no answer.
  while (!met_.empty() && Clock::now() < late) {
    std::erase_if(met_, [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
    if (!met_.empty()) wait_a_moment();
  }
}

std::string own_mark() { return fmt::format("{}={}-", tree_variable, ::getpid()); }

void disown(std::vector<std::string>& environment) {
  const std::string name = std::string(tree_variable) + "=";
  std::erase_if(environment, [&](const std::string& variable) { return variable.starts_with(name); });
}

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

bool has_children(pid_t pid) {
  std::error_code none;
  for (fs::directory_iterator thread(fmt::format("/proc/{}/task", pid), none), last; !none && thread != last;
       thread.increment(none))
    if (const auto children = read_text(thread->path() / "children"); children && !children->empty())
      return true;
  return false;
}

std::string name_of_process(pid_t pid) {
  std::string name = read_text(fmt::format("/proc/{}/comm", pid)).value_or("");
  if (name.ends_with('\n')) name.pop_back();
  return name;
}

bool end_with_parent() {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // An orphan's parent is the first process of all, or who adopts orphans: who began with all this.
  const char* const mark = ::getenv(tree_variable);
  const bool orphan = parent == 1 || (mark && std::string(mark).starts_with(fmt::format("{}-", parent)));
  return !orphan && ::getppid() == parent;
}

pid_t fork_known() {
  const std::lock_guard lock(mutex);
  const pid_t pid = ::fork();
  if (pid > 0) known().insert(pid);
  return pid;
}

void forget_known(pid_t pid) {
  const std::lock_guard lock(mutex);
  known().erase(pid);
}

std::vector<pid_t> descendants(pid_t pid) {
  std::vector<pid_t> all = children_of(pid);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const pid_t child : children_of(all[i])) all.push_back(child);
  std::erase_if(all, has_died);
  return all;
}

void end_strays() {
  const std::lock_guard lock(mutex);
  for (const pid_t pid : children_of(::getpid())) {
    if (known().contains(pid) || ::getpgid(pid) == ::getpgrp()) continue;
    const bool ended = is_unmarked(pid) && ::kill(pid, SIGKILL) == 0;
    // Without a look they would stay as zombies. One in the kernel's hands cannot be ended now.
    const auto late = std::chrono::steady_clock::now() + gone_within;
    while (::waitpid(pid, nullptr, WNOHANG) == 0 && ended && std::chrono::steady_clock::now() < late)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace uotbench
