// Which stored run is meant by a name.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>

#include "results/base/error.hpp"
#include "results/record/run_file/merge.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

/// Stored runs by sweep name. NAME-20260131T120000.000Z.jsonl: stamps sort by time.
std::multimap<std::string, fs::path> stored_runs(const fs::path& folder) {
  std::multimap<std::string, fs::path> runs;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const std::string file = entry.path().filename().string();
    const auto dash = file.rfind('-');
    if (entry.path().extension() == ".jsonl" && dash != std::string::npos)
      runs.emplace(file.substr(0, dash), entry.path());
  }
  return runs;
}

/// When a stored run was begun, as its name says.
std::optional<std::chrono::sys_time<std::chrono::milliseconds>> time_in(const fs::path& path) {
  const std::string file = path.filename().string(), stamp = file.substr(file.rfind('-') + 1);
  std::tm time{};
  int milliseconds = 0, end = 0;
  if (std::sscanf(stamp.c_str(), "%4d%2d%2dT%2d%2d%2d.%3dZ%n", &time.tm_year, &time.tm_mon, &time.tm_mday,
                  &time.tm_hour, &time.tm_min, &time.tm_sec, &milliseconds, &end) != 7 ||
      end != 20)
    return std::nullopt;
  time.tm_year -= 1900;
  time.tm_mon -= 1;
  return std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::seconds(::timegm(&time)) +
                                                          std::chrono::milliseconds(milliseconds));
}

}  // namespace

fs::path new_run(const std::string& name, const fs::path& folder) {
  auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto path_at = [&](std::chrono::sys_time<std::chrono::milliseconds> time) {
    return folder / fmt::format("{}-{:%Y%m%dT%H%M%S}.{:03}Z.jsonl", name,
                                fmt::gmtime(std::chrono::system_clock::to_time_t(time)),
                                time.time_since_epoch().count() % 1000);
  };
  // The newest is the last by its name. A clock that went back must not make an older one the newest.
  if (const auto runs = runs_of(name, folder); !runs.empty() && runs.front() >= path_at(now))
    if (const auto newest = time_in(runs.front())) now = *newest + std::chrono::milliseconds(1);
  return path_at(now);
}

std::vector<fs::path> shards_of(const std::string& name, const fs::path& folder) {
  // Of every number of shards, the newest file of each shard; stamps sort by time.
  std::map<int, std::map<int, fs::path>> sets;
  std::string newest;
  int shards = 0;
  const auto stamp = [](const fs::path& path) {
    const std::string file = path.filename().string();
    return file.substr(file.rfind('-'));
  };
  for (const auto& [run, path] : stored_runs(folder)) {
    int index = 0, of = 0, end = 0;
    if (!run.starts_with(name + '.') ||
        std::sscanf(run.c_str() + name.size() + 1, "%dof%d%n", &index, &of, &end) != 2 ||
        name.size() + 1 + static_cast<std::size_t>(end) != run.size())
      continue;
    auto& known = sets[of][index];
    if (known.empty() || stamp(known) < stamp(path)) known = path;
    if (newest < stamp(path)) newest = stamp(path), shards = of;
  }
  if (sets.empty())
    throw UsageError(
        fmt::format("no shards of \"{0}\" in {1}: give files, or the name of a sweep with "
                    "{0}.1of2-... there",
                    name, folder.string()));
  std::vector<fs::path> files;
  for (const auto& [index, path] : sets[shards]) files.push_back(path);
  return files;
}

std::vector<fs::path> runs_of(const std::string& name, const fs::path& folder) {
  const auto runs = stored_runs(folder);
  std::vector<fs::path> paths;
  for (auto [run, end] = runs.equal_range(name); run != end; ++run) paths.push_back(run->second);
  std::sort(paths.rbegin(), paths.rend());
  return paths;
}

fs::path find_run(const std::string& name, const fs::path& folder) {
  std::error_code unreadable;
  if (fs::is_regular_file(name, unreadable)) return name;
  if (const auto runs = runs_of(name, folder); !runs.empty()) return runs.front();
  std::vector<std::string> names;
  for (const auto& [known, path] : stored_runs(folder))
    if (names.empty() || names.back() != known) names.push_back(known);
  throw UsageError(
      fmt::format("no run \"{}\": give a file, or the name of a sweep with a run in {} (there: {})", name,
                  folder.string(), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace uotbench
