#include "tools/uotbench/running/run_header.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ctime>
#include <fstream>
#include <map>
#include <set>
#include <vector>

#include "harness/host/facts/machine.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/record/run_file/line_json.hpp"

namespace uotbench {

std::string utc(const char* format) {
  const std::time_t now = std::time(nullptr);
  return fmt::format(fmt::runtime(format), fmt::gmtime(now));
}

namespace {

/// What the axes of a group's cases are for, into the roles of its family. A setting of one variant is a
/// setting for all: cases that differ in it are not held against each other.
void add_roles(Named<std::string>& roles, const Group& group, WorkerPool& pool) {
  for (const auto& axis : pool.families().at(group.family).axes) roles[axis.name] = name_of(axis.role);
  for (const auto& member : group.cases) {
    if (member.point.contains(setting_axis::ranks)) roles[setting_axis::ranks] = name_of(Role::setting);
    const auto& variants = pool.worker_info(member.worker).variants;
    const auto variant = variants.find(member.variant);
    if (variant == variants.end()) continue;  // nobody can describe it
    for (const auto& axis : variant->second.axes)
      if (!roles.contains(axis.name) || axis.role == Role::setting) roles[axis.name] = name_of(axis.role);
  }
}

}  // namespace

RunHeader run_header(const Sweep& sweep, bool verify_only, WorkerPool& pool, const Plan& plan) {
  RunHeader header{.schema = run_schema,
                   .uotbench = UOTBENCH_VERSION,
                   .started = utc("{:%Y-%m-%dT%H:%M:%SZ}"),
                   .sweep = sweep.document,
                   .options = HeaderOptions{.rounds = sweep.measure.rounds,
                                            .min_samples = sweep.measure.min_samples,
                                            .max_noise = sweep.measure.max_noise,
                                            .max_time = sweep.measure.max_time,
                                            .case_timeout = sweep.measure.case_timeout,
                                            .verify_only = verify_only,
                                            .counters = sweep.counters,
                                            .cpus = pool.context().cpus},
                   .machine = machine_facts(),
                   .plan = plan.ids()};
  std::set<std::string> names{"oracle"};
  for (const auto& group : plan.groups) {
    for (const auto& member : group.cases) names.insert(member.worker);
    auto& axes = header.problem_axes[group.family] = {};
    for (const auto& axis : pool.families().at(group.family).axes) axes.push_back(axis.name);
    add_roles(header.axis_roles[group.family], group, pool);
  }
  for (const auto& name : names) {
    const auto* failure = name == "oracle"                 ? nullptr
                          : pool.worker_info(name).failure ? &*pool.worker_info(name).failure
                                                           : nullptr;
    Json build = failure            ? Json{{"unavailable", failure->reason}}
                 : name == "oracle" ? pool.oracle().build()
                                    : pool.worker_info(name).build.json();
    if (name != "oracle" && !failure && pool.worker_info(name).device.json().is_object())
      build["device"] = pool.worker_info(name).device.json();
    // What it was asked: a case that has no time for that is whole.
    if (const Manifest& manifest = pool.manifest(name); manifest.runs_cases() && !manifest.does(step::time))
      build["steps"] = manifest.steps;
    if (pool.manifest(name).given) build["command"] = pool.manifest(name).command;
    header.workers[name] = std::move(build);
  }
  header.environment.emplace();
  for (const auto& [name, value] : telling_variables()) (*header.environment)[name] = value;
  if (plan.shard)
    header.shard = RunShard{.index = static_cast<std::int64_t>(plan.shard->index),
                            .of = static_cast<std::int64_t>(plan.shard->of),
                            .order = plan.order};
  return header;
}

namespace {

/// "2 cases are new (the first: ID)"; empty where none is.
std::string beyond(const std::vector<std::string>& ids, const std::vector<std::string>& others,
                   const char* what) {
  const std::set<std::string> known(others.begin(), others.end());
  std::vector<std::string> more;
  for (const auto& id : ids)
    if (!known.contains(id)) more.push_back(id);
  if (more.empty()) return "";
  return more.size() == 1 ? fmt::format("1 case is {}: {}", what, more.front())
                          : fmt::format("{} cases are {}, the first is {}", more.size(), what, more.front());
}

std::string plans_differ(const std::vector<std::string>& before, const std::vector<std::string>& now) {
  if (before == now) return "";
  std::string text = beyond(now, before, "new"), gone = beyond(before, now, "gone");
  if (!gone.empty()) text += (text.empty() ? "" : ", ") + gone;
  return fmt::format("it was made from another plan ({})", text.empty() ? "the order differs" : text);
}

}  // namespace

namespace {

/// A file of the user's that records were made from and that holds something else now; empty: there is none.
std::string file_that_changed(const Run& before, const Plan& plan) {
  std::map<std::string_view, const InputContents*> files;
  for (const auto& group : plan.groups)
    if (!group.files.empty())
      for (const auto& member : group.cases) files.emplace(member.id, &group.files);
  for (const auto* records : {&before.records, &before.unplanned})
    for (const auto& record : *records)
      if (const auto found = files.find(record.id); is_final(record.status) && found != files.end())
        if (auto file = changed_input(record.input_files, *found->second); !file.empty()) return file;
  return "";
}

}  // namespace

void require_same(const Run& before, const RunHeader& now, const Plan& plan, const std::string& command) {
  std::vector<std::string> asked, found;  // what differs: by the command, and by itself
  if (const auto text = plans_differ(before.plan(), *now.plan); !text.empty()) asked.push_back(text);
  for (const auto& option : differing(now.options, before.header.options))
    asked.push_back(fmt::format("it was measured with other options ({} was {}, is {})", option.name,
                                option.b, option.a));
  // Of the last start: what was insisted on once is not asked again.
  if (before.newest_machine().fingerprint() != now.machine.fingerprint())
    found.emplace_back("it was made on another machine");
  const auto device = [](const WorkerBuild& build) {
    return build.has_device() ? fmt::format("\"{}\"", build.device_name()) : "null";
  };
  for (const auto& [name, build] : now.workers) {
    const WorkerBuild* const was = before.newest_workers().find(name);
    if (!was) continue;  // the plan is another
    if (was->device_name() != build.device_name())
      found.push_back(fmt::format("worker {} ran on {}, and runs on {}", name, device(*was), device(build)));
    if (!was->is_same_build(build)) found.push_back(fmt::format("worker {} was built anew since", name));
  }
  if (const std::string file = file_that_changed(before, plan); !file.empty())
    found.push_back(fmt::format("its input {} has changed since", file));
  if (asked.empty() && found.empty()) return;
  const std::string path = before.path.string(), &begun = before.header.command;
  // Where another command was given, that which began the run asks for the same; what else differs takes
  // force.
  // Where it is this command, what it reads has changed.
  const bool known = !asked.empty() && !begun.empty() && begun != command, same = known && found.empty();
  const std::string next = fmt::format("{} by: {}{}", same ? "go on with it" : "insist",
                                       resuming(known ? begun : command, path), same ? "" : " --force");
  asked.insert(asked.end(), found.begin(), found.end());
  throw UsageError(fmt::format("{}: --resume is refused: {}; start a new file with --output, or {}", path,
                               fmt::join(asked, "; "), next));
}

namespace {

std::vector<std::string> own_words() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

std::string one_line(const std::vector<std::string>& words) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

}  // namespace

std::string own_command() { return one_line(own_words()); }

std::string own_command_of_any_file() {
  std::vector<std::string> kept;
  bool value = false;  // of --output
  for (auto& word : own_words()) {
    const bool output = word == "-o" || word == "--output";
    if (const bool skipped = value;
        skipped || output || word == "--resume" || word == "--force" || word.starts_with("--output="))
      value = !skipped && output;
    else
      kept.push_back(std::move(word));
  }
  return one_line(kept);
}

}  // namespace uotbench
