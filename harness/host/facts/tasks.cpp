#include "harness/host/facts/tasks.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "harness/host/process/files.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

/// /proc/PID/stat (proc(5)): "PID (NAME) STATE …"; a name may hold blanks and parentheses, and utime and
/// stime are the 12th and 13th words after its last parenthesis.
std::optional<LiveTask> task_from(const std::string& stat) {
  const std::size_t open = stat.find('('), close = stat.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  std::istringstream rest(stat.substr(close + 1));
  std::string skipped;
  for (int word = 0; word < 11; ++word) rest >> skipped;
  double user = 0, system = 0;
  if (!(rest >> user >> system)) return std::nullopt;
  return LiveTask{stat.substr(open + 1, close - open - 1),
                  (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK))};
}

}  // namespace

std::map<int, LiveTask> visible_tasks(const fs::path& root) {
  std::map<int, LiveTask> all;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / "proc", none)) {
    const std::string name = entry.path().filename();
    const char* const end = name.data() + name.size();
    int pid = 0;
    if (std::from_chars(name.data(), end, pid).ptr != end) continue;
    if (const auto task = task_from(read_text(entry.path() / "stat").value_or(""))) all.emplace(pid, *task);
  }
  return all;
}

std::vector<BusyTask> busy_tasks(const std::map<int, LiveTask>& before, const std::map<int, LiveTask>& after,
                                 double seconds, double share) {
  std::vector<BusyTask> busy;
  for (const auto& [pid, task] : after) {
    const auto earlier = before.find(pid);
    if (earlier == before.end()) continue;
    const double used = (task.seconds - earlier->second.seconds) / seconds;
    if (used > share) busy.push_back({pid, task.name, used});
  }
  std::ranges::sort(busy, std::ranges::greater{}, &BusyTask::share);
  return busy;
}

}  // namespace uotbench
