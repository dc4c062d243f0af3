// uotbench list: which variants there are, on which workers; one variant's axes.
#include "tools/uotbench/views/list.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "harness/protocol/axis_json.hpp"
#include "harness/protocol/suggest.hpp"
#include "harness/sweep/workers/crew.hpp"
#include "results/base/error.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/exit_codes.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/views/print_json.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

struct ListOptions {
  std::string variant;
  std::vector<std::string> workers;
  bool json = false;
};

/// Every variant with the workers that hold it; those that cannot be asked are left out.
std::map<std::string, ListedVariant> entries(Crew& crew) {
  std::map<std::string, ListedVariant> all;
  for (const auto& manifest : crew.manifests()) {
    if (!manifest.runs_cases()) continue;
    for (const auto& [name, info] : crew.roster(manifest.name).variants) {
      Json kernels = std::move(all[name].info.kernels);  // only the build for the device itself has them
      all[name].info = info;
      if (!info.kernels.is_array()) all[name].info.kernels = std::move(kernels);
      all[name].workers.push_back(manifest.name);
    }
  }
  return all;
}

/// The family's, then its own.
std::vector<Axis> all_axes(Crew& crew, const ListedVariant& variant) {
  std::vector<Axis> axes = crew.families().at(variant.info.family()).axes;
  axes.insert(axes.end(), variant.info.axes.begin(), variant.info.axes.end());
  return axes;
}

Json to_json(Crew& crew, const ListedVariant& variant) {
  Json axes = Json::array();
  for (const auto& axis : all_axes(crew, variant)) axes.push_back(uotbench::to_json(axis));
  Json json{{"name", variant.info.name},
            {"summary", variant.info.summary},
            {"workers", variant.workers},
            {"axes", axes}};
  if (variant.info.kernels.is_array()) json["kernels"] = variant.info.kernels;
  return json;
}

int list(const ListOptions& options) {
  const Terminal terminal = terminal_of(stdout);
  const RunContext context;
  Crew crew(with_workers(read_manifests(configs_folder() / "workers", bin_folder()), options.workers),
            context);
  const auto all = entries(crew);
  if (!options.variant.empty()) {
    const auto found = all.find(options.variant);
    std::vector<std::string> names;
    for (const auto& [name, entry] : all) names.push_back(name);
    if (found == all.end())
      throw UsageError(
          fmt::format("no variant \"{}\"{}", options.variant, did_you_mean(options.variant, names)));
    if (options.json) {
      print_json(to_json(crew, found->second));
    } else {
      fmt::print("{}", axes_of(found->second, all_axes(crew, found->second), terminal));
    }
    return exit_ok;
  }
  if (options.json) {
    Json rows = Json::array();
    for (const auto& [name, entry] : all) rows.push_back(to_json(crew, entry));
    print_json(rows);
    return exit_ok;
  }
  fmt::print("{}", table_of(all, terminal));
  for (const auto& manifest : crew.manifests()) {
    if (!manifest.runs_cases()) continue;
    const auto& failure = crew.roster(manifest.name).failure;
    if (!failure) continue;
    if (failure->status != Status::skipped)
      fmt::print("\n{}", paragraph(fmt::format("worker {} does not work: ", manifest.name), failure->reason,
                                   terminal));
    else if (failure->reason == manifest.unbuilt())
      fmt::print("\n{}\n", on_one_line(failure->reason));  // one line, whatever the width: to be copied
  }
  fmt::print("\naxes of one: uotbench list uot/one_read\n");
  return exit_ok;
}

}  // namespace

void add_list(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ListOptions>();
  auto* command = program.add_subcommand("list", "list variants and, for one, its axes");
  command->add_option("VARIANT", options->variant, "show this variant's axes, defaults and accepted values");
  command->add_option("--worker", options->workers, "a worker of your own, listed too")
      ->type_name("NAME[=CMD]")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  command->add_flag("--json", options->json, "print everything as JSON");
  command->footer("Example:\n  uotbench list uot/one_read");
  command->callback([options, &chosen] { chosen = [options] { return list(*options); }; });
}

}  // namespace uotbench
