#include "harness/host/process/strays.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "harness/host/process/files.hpp"
#include "harness/host/process/process_tree.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

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
