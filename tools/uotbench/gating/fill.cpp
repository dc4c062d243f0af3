#include "tools/uotbench/gating/fill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>
#include <utility>

#include "results/base/error.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/gating/run.hpp"
#include "tools/uotbench/running/execute.hpp"

namespace uotbench {

namespace fs = std::filesystem;

fs::path cached_runs_folder(const std::string& command) {
  constexpr std::size_t kept = 200;  // of some ten bisections
  const fs::path folder = cache_folder(fmt::format("runs of {}", command)) / command;
  std::vector<fs::path> runs;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".jsonl") runs.push_back(entry.path());
  const auto time_of = [&](const fs::path& run) { return fs::last_write_time(run, none); };
  std::ranges::sort(runs, std::greater(), time_of);
  for (std::size_t i = kept; i < runs.size(); ++i) fs::remove(runs[i], none);
  return folder;
}

std::vector<TrunkCommit> commits_of_range(const Repository& repository, const std::string& range) {
  const auto dots = range.find("..");
  if (dots == std::string::npos || dots == 0 || range.find("...") != std::string::npos)
    throw UsageError(fmt::format("{}: expected A..B, such as v1.2..main or HEAD~20..", range));
  const std::string from = range.substr(0, dots), given = range.substr(dots + 2),
                    to = given.empty() ? "HEAD" : given;
  std::istringstream lines(
      repository.log(repository.revision(from).commit, repository.revision(to).commit, "%H"));
  std::set<std::string> between;
  for (std::string hash; lines >> hash;) between.insert(hash);
  auto commits = trunk_of(repository, to);
  std::erase_if(commits, [&](const TrunkCommit& commit) { return !between.contains(commit.hash); });
  if (commits.empty())
    throw UsageError(
        fmt::format("{}: expected commits that {} has and {} has not, got none", range, to, from));
  return commits;
}

std::vector<std::size_t> order_of_filling(std::size_t count) {
  if (count == 0) return {};
  std::vector<std::size_t> order{count - 1};
  if (count == 1) return order;
  order.push_back(0);
  std::vector<std::pair<std::size_t, std::size_t>> gaps{{0, count - 1}};
  for (std::size_t at = 0; at < gaps.size(); ++at) {
    const auto [low, high] = gaps[at];
    if (high - low < 2) continue;
    const std::size_t middle = (low + high) / 2;
    order.push_back(middle);
    gaps.insert(gaps.end(), {{low, middle}, {middle, high}});
  }
  return order;
}

MeasuredCommit measure_commit(const GateFlags& flags, const Project& project, const std::string& commit,
                              const std::filesystem::path& output) {
  try {
    const GateSource source = revision_source(flags, project, commit);
    Execution what{.sweep = gate_sweep(flags, source),
                   .plan = {},
                   .output = output.string(),
                   .force = true,
                   .quiet = true};
    const RunContext context = context_of(flags.run, what.sweep);
    WorkerPool pool(source.manifests, context);
    Selection selection = flags.run.selection;
    if (what.sweep.cases.empty()) add_named_cases(what.sweep, selection, pool);
    what.plan = make_plan(what.sweep, pool, selection);
    Executed done = execute(what, pool);
    if (done.interrupted) throw Interrupted{};
    return {.run = std::move(done.run)};
  } catch (const BuildFailed& failed) {
    return {.run = {}, .why = failed.what()};
  } catch (const UsageError& error) {  // a worker that cannot be asked, a variant that is not there yet
    return {.run = {}, .why = error.what()};
  }
}

}  // namespace uotbench
