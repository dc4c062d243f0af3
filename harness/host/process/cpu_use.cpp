#include "harness/host/process/cpu_use.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "harness/host/process/files.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

constexpr double micro = 1e-6;
constexpr double nano = 1e-9;

/// From microseconds of CPU time in each period of so many microseconds.
std::optional<CpuQuota> quota(double allowed, double period) {
  if (!(allowed > 0) || !(period > 0)) return std::nullopt;  // version 1 writes -1 where there is none
  return CpuQuota{allowed / period, period * micro};
}

/// "25000 100000"; "max 100000" where there is no quota.
std::optional<CpuQuota> quota_v2(const fs::path& group) {
  std::istringstream words(read_text(group / "cpu.max").value_or(""));
  double allowed = 0, period = 0;
  if (!(words >> allowed >> period)) return std::nullopt;
  return quota(allowed, period);
}

std::optional<CpuQuota> quota_v1(const fs::path& group) {
  return quota(read_number(group / "cpu.cfs_quota_us").value_or(-1),
               read_number(group / "cpu.cfs_period_us").value_or(0));
}

/// The number of a line "key number" of cpu.stat; 0 where there is none.
double stat_of(const fs::path& group, const std::string& key) {
  for (const std::string& line : read_lines(group / "cpu.stat")) {
    std::istringstream words(line);
    std::string name;
    double value = 0;
    if (words >> name >> value && name == key) return value;
  }
  return 0;
}

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

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

std::vector<fs::path> cgroup_folders(CgroupVersion version, const std::string& controller,
                                     const fs::path& root) {
  std::vector<fs::path> folders;
  // A line of /proc/self/cgroup is ID:CONTROLLERS:PATH; version 2 has ID 0 and no controllers.
  for (const std::string& line : read_lines(root / "proc/self/cgroup")) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::vector<fs::path> mounts;  // where distributions and container engines mount it
    if (version == CgroupVersion::v2 && controllers.empty())
      mounts = {"sys/fs/cgroup", "sys/fs/cgroup/unified"};
    if (version == CgroupVersion::v1 &&
        fmt::format(",{},", controllers).find(fmt::format(",{},", controller)) != std::string::npos)
      mounts = {fs::path("sys/fs/cgroup") / controller, fs::path("sys/fs/cgroup") / controllers};
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    for (const fs::path& mount : mounts)
      for (fs::path at = group;; at = at.parent_path()) {
        std::error_code none;
        // "cpu" often is a link to "cpu,cpuacct".
        const fs::path folder = fs::canonical(root / mount / at, none);
        if (!none && std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
        if (at.empty()) break;
      }
  }
  return folders;
}

std::optional<CpuQuota> cpu_quota(const fs::path& root) {
  std::optional<CpuQuota> least;
  const auto consider = [&](const std::optional<CpuQuota>& found) {
    if (found && (!least || found->cpus < least->cpus)) least = found;
  };
  for (const fs::path& group : cgroup_folders(CgroupVersion::v2, "cpu", root)) consider(quota_v2(group));
  for (const fs::path& group : cgroup_folders(CgroupVersion::v1, "cpu", root)) consider(quota_v1(group));
  return least;
}

double throttled_seconds(const fs::path& root) {
  double seconds = 0;
  for (const fs::path& group : cgroup_folders(CgroupVersion::v2, "cpu", root))
    seconds += stat_of(group, "throttled_usec") * micro;
  for (const fs::path& group : cgroup_folders(CgroupVersion::v1, "cpu", root))
    seconds += stat_of(group, "throttled_time") * nano;
  return seconds;
}

std::set<int> cpus_of(pid_t pid) {
  std::set<int> cpus;
  // A machine may have more CPUs than a cpu_set_t holds, which the kernel says by EINVAL.
  for (int count = CPU_SETSIZE; count <= most_cpus; count *= 2) {
    const std::unique_ptr<cpu_set_t, FreeCpuSet> mask(CPU_ALLOC(static_cast<std::size_t>(count)));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(count));
    CPU_ZERO_S(bytes, mask.get());
    if (::sched_getaffinity(pid, bytes, mask.get()) == 0) {
      for (int cpu = 0; cpu < count; ++cpu)
        if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, mask.get())) cpus.insert(cpu);
      break;
    }
    if (errno != EINVAL) break;
  }
  return cpus;
}

std::string cpu_list(const std::set<int>& cpus) {
  std::string text;
  for (auto first = cpus.begin(); first != cpus.end();) {
    auto last = first;
    for (auto next = std::next(last); next != cpus.end() && *next == *last + 1; ++next) last = next;
    text += text.empty() ? "" : ",";
    text += last == first ? fmt::format("{}", *first) : fmt::format("{}-{}", *first, *last);
    first = std::next(last);
  }
  return text;
}

namespace {

/// What PROC/stat counts in.
double tick() { return 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK)); }

std::optional<double> busy_seconds(const std::vector<int>& cpus, const fs::path& proc) {
  std::ifstream in(proc / "stat");
  double ticks = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string name;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softirq = 0, steal = 0;
    fields >> name >> user >> nice >> system >> idle >> waiting >> irq >> softirq >> steal;
    if (std::ranges::any_of(cpus, [&](int cpu) { return name == "cpu" + std::to_string(cpu); }))
      ticks += user + nice + system + irq + softirq + steal;
  }
  return ticks > 0 ? std::optional(ticks * tick()) : std::nullopt;
}

}  // namespace

CpuUse cpu_use(const std::vector<pid_t>& processes, const std::vector<int>& cpus, const fs::path& proc) {
  CpuUse use{.threads = {}, .busy = busy_seconds(cpus, proc)};
  std::error_code none;
  for (const pid_t process : processes)
    for (fs::directory_iterator thread(proc / std::to_string(process) / "task", none), last;
         !none && thread != last; thread.increment(none)) {
      std::ifstream in(thread->path() / "schedstat");
      double running = 0, in_line = 0;  // nanoseconds
      if (in >> running >> in_line)
        use.threads[std::stoi(thread->path().filename())] = {.running = running * 1e-9,
                                                             .in_line = in_line * 1e-9};
    }
  return use;
}

double seconds_in_line(const CpuUse& before, const CpuUse& after, double seconds, std::size_t cpus) {
  double running = 0, in_line = 0;
  for (const auto& [thread, time] : after.threads) {
    const auto earlier = before.threads.find(thread);
    const ThreadTime from = earlier == before.threads.end() ? ThreadTime{} : earlier->second;
    running += time.running - from.running;
    in_line += time.in_line - from.in_line;
  }
  double others = static_cast<double>(cpus) * seconds - running;
  if (before.busy && after.busy)
    // Where less was counted than these alone ran, it is not these CPUs that were counted.
    if (const double busy = *after.busy - *before.busy + tick(); busy >= running)
      others = std::min(others, busy - running);
  return std::clamp(in_line, 0.0, std::max(0.0, others));
}

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
