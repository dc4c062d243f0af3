// uotbench doctor: what is missing or in the way, what that costs, and the command that mends it.
#include "harness/host/findings/doctor.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "harness/host/facts/machine.hpp"
#include "harness/host/facts/topology.hpp"
#include "harness/host/facts/usable.hpp"
#include "harness/host/process/program.hpp"
#include "harness/sweep/counting/counting.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "roofline/tables/counter_table.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/counter_plan.hpp"
#include "tools/uotbench/running/machine_store.hpp"
#include "tools/uotbench/views/machine.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

/// The command that installs it: Debian's packages of such programs have their names.
std::string program_missing(const Manifest& manifest) {
  const std::string& program = manifest.command.front();
  const bool named = program.find('/') == std::string::npos;
  return named && program_in_path(program).empty() ? sudo() + "apt-get install -y " + program : "";
}

/// ", on NVIDIA H200, driver 550.54" where the worker's kernels run on a device of their own.
std::string device_of(const WorkerInfo& worker_info) {
  const auto text = [&](const char* key) {
    const Json fact = value_in(worker_info.device.json(), key);
    return fact.is_string() ? on_one_line(fact.get<std::string>().substr(0, 100)) : std::string();
  };
  std::string all = text("name");
  if (all.empty()) return "";
  if (const std::string driver = text("driver"); !driver.empty()) all += ", driver " + driver;
  return ", on " + all;
}

/// Of a worker that cannot be started here: its obstacle, with the command that mends it.
Finding obstacle_finding(const Manifest& manifest, const std::string& obstacle, const std::string& cost) {
  const std::string build = manifest.build_command();
  return {Finding::Level::note, build.empty() ? obstacle : fmt::format("worker {}: not built", manifest.name),
          cost, build.empty() ? program_missing(manifest) : build};
}

/// What the manifest's own command finds, as the last line that it prints.
Finding examined(const Manifest& manifest) {
  constexpr double patience = 30;  // seconds: a launcher that hangs is a finding, too
  const auto ran = run_program({.command = manifest.examine, .seconds = patience, .own_group = true});
  std::string said = ran.said;
  while (said.ends_with('\n')) said.pop_back();
  said = on_one_line(said.substr(said.rfind('\n') + 1));
  if (ran.in_time && ran.code == 0 && !said.empty())
    return {Finding::Level::ok, fmt::format("worker {}: {}", manifest.name, said), "", ""};
  return {Finding::Level::warning,
          fmt::format("worker {}: {}: {}", manifest.name, manifest.examine.front(),
                      !ran.in_time   ? fmt::format("no end within {} s: killed", patience)
                      : said.empty() ? fmt::format("exited with code {}", ran.code)
                                     : said),
          "its cases of several processes fail", ""};
}

std::vector<Finding> worker_findings() {
  std::vector<Finding> findings;
  const RunContext context;
  WorkerPool pool(read_manifests(configs_folder() / "workers", bin_folder()), context);
  bool any = false;
  for (const auto& manifest : pool.manifests()) {
    if (!is_isa_of_this_kind(manifest.isa)) continue;
    if (manifest.judge) {
      const auto obstacle = manifest.obstacle();
      findings.push_back(obstacle.empty() ? Finding{Finding::Level::ok, "worker " + manifest.name, "", ""}
                                          : Finding{Finding::Level::error, obstacle,
                                                    "nothing can be verified, so nothing is timed",
                                                    "tools/quickstart --build-only"});
      continue;
    }
    if (!manifest.runs_cases()) {
      const auto obstacle = manifest.obstacle();
      findings.push_back(
          obstacle.empty()
              ? Finding{Finding::Level::ok, "counter source " + manifest.counts, "", ""}
              : obstacle_finding(manifest, obstacle, fmt::format("no counters of {}", manifest.counts)));
      continue;
    }
    const auto& failure = pool.worker_info(manifest.name).failure;
    if (!failure) {
      any = any || manifest.does(step::time);
      const WorkerInfo& its = pool.worker_info(manifest.name);
      findings.push_back(
          {Finding::Level::ok,
           fmt::format("worker {}: {}{}{}", manifest.name, counted(its.variants.size(), "variant"),
                       manifest.does(step::time) ? "" : ": verified, not timed", device_of(its)),
           "", ""});
      if (!manifest.examine.empty()) findings.push_back(examined(manifest));
    } else if (failure->status == Status::skipped) {
      findings.push_back(obstacle_finding(manifest, failure->reason, "its cases are skipped"));
    } else {
      findings.push_back({Finding::Level::error, fmt::format("worker {}: {}", manifest.name, failure->reason),
                          "its cases fail", "tools/quickstart --build-only"});
    }
  }
  if (!any)
    findings.push_back({Finding::Level::error, "no worker that times can run here",
                        "no kernel can be measured", "tools/quickstart --build-only"});
  return findings;
}

Finding ceilings_finding(const StoredCeilings& stored) {
  if (!stored.ceilings)
    return {Finding::Level::note, stored.obstacle,
            "runs cannot say how close they are to the machine's limits", "uotbench machine"};
  return {Finding::Level::ok, "ceilings measured " + stored.ceilings->made, "", ""};
}

std::string simulated_caches() {
  const CacheShapes caches = cache_shapes(this_topology());
  return caches.obstacle.empty()
             ? fmt::format("simulated caches, as this machine's: {}\n", geometry_of(document_of(caches)))
             : caches.obstacle + "\n";
}

/// Events that are off are a fault of the machine or of a group: exit code 1.
int doctor_counters(bool json) {
  const auto states = check_counters();
  if (json)
    print_json(json_of(states));
  else
    fmt::print("{}{}", text_of(states, terminal_of(stdout)), simulated_caches());
  const bool off = std::ranges::any_of(states, [](const SourceState& state) {
    return std::ranges::any_of(state.checks, &CounterCheck::is_off);
  });
  return off ? exit_failed : exit_ok;
}

int doctor(bool json) {
  auto findings = worker_findings();
  const Json machine = machine_facts();
  const auto stored = stored_ceilings(machine);
  findings.push_back(ceilings_finding(stored));
  for (auto& finding : cache_findings(machine.at("hashed"), stored.probed_caches.json()))
    findings.push_back(std::move(finding));
  const auto host = examine_host();
  findings.insert(findings.end(), host.begin(), host.end());
  const bool broken = std::any_of(findings.begin(), findings.end(),
                                  [](const Finding& f) { return f.level == Finding::Level::error; });
  if (json) {
    Json list = Json::array();
    for (const auto& f : findings)
      list.push_back({{"level", name_of(f.level)}, {"what", f.what}, {"cost", f.cost}, {"mend", f.mend}});
    print_json({{"machine", machine}, {"findings", list}});
    return broken ? exit_failed : exit_ok;
  }
  const Json& cpu = machine.at("hashed").at("cpu");
  fmt::print("{}, fingerprint {}\n\n",
             cpu.is_object() && cpu.value("model_name", Json()).is_string()
                 ? on_one_line(cpu["model_name"].get<std::string>())
                 : to_line(cpu),
             machine.at("fingerprint").get<std::string>());
  fmt::print("{}", text_of(findings, terminal_of(stdout)));
  return broken ? exit_failed : exit_ok;
}

}  // namespace

void add_doctor(CLI::App& program, Action& chosen) {
  auto json = std::make_shared<bool>(false), counters = std::make_shared<bool>(false);
  auto* command = program.add_subcommand(
      "doctor", "check this machine: what is missing or disturbs measurements, and what mends it");
  command->add_flag("--json", *json, "print machine and findings as JSON");
  command->add_flag("--counters", *counters,
                    "hold every counter source against kernels whose cache lines are known; takes seconds");
  command->footer("Examples:\n  uotbench doctor\n  uotbench doctor --counters\n  uotbench doctor --json");
  command->callback([json, counters, &chosen] {
    chosen = [json, counters] { return *counters ? doctor_counters(*json) : doctor(*json); };
  });
}

}  // namespace uotbench
