// uotbench check-worker: does a worker, in whatever language, do what the protocol asks of it?
#include "harness/sweep/check/check_worker.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>

#include "harness/host/facts/usable.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

struct CheckWorkerOptions {
  std::string command, timeout = "30s";
  bool json = false;
};

/// A worker that is known here goes by its name; everything else is a command.
Manifest worker_from(const WorkerPool& pool, const std::string& text) {
  for (const auto& manifest : pool.manifests())
    if (manifest.name == text && !manifest.judge) {
      if (const auto obstacle = manifest.obstacle(); !obstacle.empty())
        throw UsageError(fmt::format("check-worker: {}", obstacle));
      return manifest;
    }
  const Manifest worker = given_worker("mine", split_command(text, "check-worker"),
                                       read_manifests(configs_folder() / "workers", bin_folder()));
  if (worker.command.empty())
    throw UsageError(
        "check-worker: give a command, for example: uotbench check-worker \"python3 my_worker.py\"");
  const auto& program = worker.command.front();
  if (program.find('/') != std::string::npos && ::access(program.c_str(), X_OK) != 0)
    throw UsageError(fmt::format("check-worker: {}: {}", program, std::strerror(errno)));
  return worker;
}

void print(const Checked& checked) {
  fmt::print("{:<9}{}: {}\n", name_of(checked.level), checked.what, checked.found);
  if (!checked.want.empty()) fmt::print("         expected: {}\n", checked.want);
  std::fflush(stdout);
}

int check(const CheckWorkerOptions& options) {
  stop_on_signals();
  const double timeout = flag_value("--timeout", parse_duration, options.timeout);
  const RunContext context = context_on({}, timeout);
  WorkerPool pool = make_pool({}, context);
  const Manifest worker = worker_from(pool, options.command);
  std::map<Checked::Level, int> counts;
  Json list = Json::array();
  check_worker(worker, pool, timeout, [&](const Checked& checked) {
    ++counts[checked.level];
    if (!options.json) return print(checked);
    list.push_back({{"level", name_of(checked.level)},
                    {"what", checked.what},
                    {"found", checked.found},
                    {"right", checked.want.empty() ? Json(nullptr) : Json(checked.want)}});
  });
  using enum Checked::Level;
  if (options.json) {
    print_json({{"checks", list}});
  } else {
    fmt::print("\n{} ok, {} wrong, {} doubtful\n", counts[ok], counts[wrong], counts[doubtful]);
  }
  return counts[wrong] > 0 ? exit_failed : exit_ok;
}

}  // namespace

void add_check_worker(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<CheckWorkerOptions>();
  auto* command =
      program.add_subcommand("check-worker", "check that a worker in any language speaks the protocol");
  command->add_option("CMD", options->command, "its command, in quotes, or the name of a worker here")
      ->required();
  command->add_option("--timeout", options->timeout, "time limit of each answer (default: 30s)")
      ->type_name("TIME");
  command->add_flag("--json", options->json, "print the checks as JSON");
  command->footer(
      "Examples:\n"
      "  uotbench check-worker \"python3 docs/my_worker.py\"\n"
      "  uotbench check-worker native-v3\n"
      "  uotbench check-worker ./my_worker --timeout 2m --json");
  command->callback([options, &chosen] { chosen = [options] { return check(*options); }; });
}

}  // namespace uotbench
