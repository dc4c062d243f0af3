// uotbench doctor: what is missing or in the way, what that costs, and the command that mends it.
#include "harness/host/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/host/machine.hpp"
#include "harness/sweep/crew.hpp"
#include "tools/uotbench/command.hpp"
#include "tools/uotbench/locations.hpp"

namespace uotbench {
namespace {

const char* name_of(Finding::Level level) {
  switch (level) {
    case Finding::Level::ok:
      return "ok";
    case Finding::Level::note:
      return "note";
    case Finding::Level::warning:
      return "warning";
    case Finding::Level::error:
      return "error";
  }
  return "?";
}

std::vector<Finding> worker_findings() {
  std::vector<Finding> findings;
  Crew crew(read_manifests(configs_folder() / "workers", bin_folder()), {}, 60);
  bool any = false;
  for (const auto& manifest : crew.manifests()) {
    if (manifest.judge) {
      const auto obstacle = manifest.obstacle();
      findings.push_back(obstacle.empty() ? Finding{Finding::Level::ok, "worker " + manifest.name, "", ""}
                                          : Finding{Finding::Level::error, obstacle,
                                                    "nothing can be judged, so nothing is timed",
                                                    "tools/quickstart --build-only"});
      continue;
    }
    const auto& failure = crew.roster(manifest.name).failure;
    if (!failure) {
      any = true;
      findings.push_back(
          {Finding::Level::ok,
           fmt::format("worker {}: {} variants", manifest.name, crew.roster(manifest.name).variants.size()),
           "", ""});
    } else if (failure->status == Status::skipped) {
      findings.push_back({Finding::Level::note, failure->reason, "its cases are skipped", ""});
    } else {
      findings.push_back({Finding::Level::error, fmt::format("worker {}: {}", manifest.name, failure->reason),
                          "its cases fail", "tools/quickstart --build-only"});
    }
  }
  if (!any)
    findings.push_back({Finding::Level::error, "no worker can run here", "no kernel can be measured",
                        "tools/quickstart --build-only"});
  return findings;
}

int doctor(bool json) {
  auto findings = worker_findings();
  const auto host = examine_host();
  findings.insert(findings.end(), host.begin(), host.end());
  const bool broken = std::any_of(findings.begin(), findings.end(),
                                  [](const Finding& f) { return f.level == Finding::Level::error; });
  const Json machine = machine_facts();
  if (json) {
    Json list = Json::array();
    for (const auto& f : findings)
      list.push_back({{"level", name_of(f.level)}, {"what", f.what}, {"cost", f.cost}, {"mend", f.mend}});
    fmt::print("{}\n", Json{{"machine", machine}, {"findings", list}}.dump(2));
    return broken ? exit_failed : exit_ok;
  }
  const Json& cpu = machine.at("hashed").at("cpu");
  fmt::print("{}, fingerprint {}\n\n",
             cpu.is_object() && cpu.contains("model_name") ? to_line(cpu["model_name"]) : to_line(cpu),
             machine.at("fingerprint").get<std::string>());
  for (const auto& f : findings) {
    fmt::print("{:<8}{}\n", name_of(f.level), f.what);
    if (!f.cost.empty()) fmt::print("        costs: {}\n", f.cost);
    if (!f.mend.empty()) fmt::print("        mend:  {}\n", f.mend);
  }
  return broken ? exit_failed : exit_ok;
}

}  // namespace

void add_doctor(CLI::App& program, Action& chosen) {
  auto json = std::make_shared<bool>(false);
  auto* command =
      program.add_subcommand("doctor", "what is missing or in the way here, what it costs, what mends it");
  command->add_flag("--json", *json, "print machine and findings as JSON");
  command->footer("Example:\n  uotbench doctor");
  command->callback([json, &chosen] { chosen = [json] { return doctor(*json); }; });
}

}  // namespace uotbench
