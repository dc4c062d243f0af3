// uotbench list: which variants there are, on which workers; one variant's axes.
#include <fmt/format.h>

#include <map>
#include <memory>

#include "harness/sweep/crew.hpp"
#include "harness/sweep/suggest.hpp"
#include "results/error.hpp"
#include "tools/uotbench/command.hpp"
#include "tools/uotbench/locations.hpp"
#include "tools/uotbench/text_table.hpp"

namespace uotbench {
namespace {

struct Options {
  std::string variant;
  std::vector<std::string> workers;
  bool json = false;
};

struct Entry {
  VariantInfo info;
  std::vector<std::string> workers;
};

/// Every variant with the workers that hold it; workers that cannot run here are left out.
std::map<std::string, Entry> entries(Crew& crew) {
  std::map<std::string, Entry> all;
  for (const auto& manifest : crew.manifests()) {
    if (manifest.judge) continue;
    for (const auto& [name, info] : crew.roster(manifest.name).variants) {
      all[name].info = info;
      all[name].workers.push_back(manifest.name);
    }
  }
  return all;
}

void print_axes(Crew& crew, const Entry& entry) {
  fmt::print("{}: {}\nworkers: {}\n\n", entry.info.name, entry.info.summary, fmt::join(entry.workers, ", "));
  TextTable table({{"axis"}, {"default"}, {"accepts"}, {"about"}});
  const auto add = [&](const Axis& axis) {
    table.row(
        {axis.name,
         axis.standard.is_null() ? (axis.derived ? "derived" : "must be given") : to_line(axis.standard),
         accepted(axis), axis.about});
  };
  for (const auto& axis : crew.families().at(entry.info.family()).axes) add(axis);
  for (const auto& axis : entry.info.axes) add(axis);
  fmt::print("{}", table.text());
}

Json to_json(Crew& crew, const Entry& entry) {
  Json axes = Json::array();
  for (const auto& axis : crew.families().at(entry.info.family()).axes)
    axes.push_back(uotbench::to_json(axis));
  for (const auto& axis : entry.info.axes) axes.push_back(uotbench::to_json(axis));
  return {
      {"name", entry.info.name}, {"summary", entry.info.summary}, {"workers", entry.workers}, {"axes", axes}};
}

int list(const Options& options) {
  Crew crew(with_workers(read_manifests(configs_folder() / "workers", bin_folder()), options.workers), {},
            60);
  const auto all = entries(crew);
  if (!options.variant.empty()) {
    const auto found = all.find(options.variant);
    std::vector<std::string> names;
    for (const auto& [name, entry] : all) names.push_back(name);
    if (found == all.end())
      throw UsageError(
          fmt::format("no variant \"{}\"{}", options.variant, did_you_mean(options.variant, names)));
    if (options.json) {
      fmt::print("{}\n", to_json(crew, found->second).dump(2));
    } else {
      print_axes(crew, found->second);
    }
    return exit_ok;
  }
  if (options.json) {
    Json rows = Json::array();
    for (const auto& [name, entry] : all) rows.push_back(to_json(crew, entry));
    fmt::print("{}\n", rows.dump(2));
    return exit_ok;
  }
  TextTable table({{"variant"}, {"workers"}, {"summary"}});
  for (const auto& [name, entry] : all)
    table.row({name, fmt::format("{}", fmt::join(entry.workers, " ")), entry.info.summary});
  fmt::print("{}", table.text());
  for (const auto& manifest : crew.manifests())
    if (const auto& failure = crew.roster(manifest.name).failure;
        failure && !manifest.judge && failure->status != Status::skipped)
      fmt::print("\nworker {} does not work: {}\n", manifest.name, failure->reason);
  fmt::print("\naxes of one: uotbench list uot/one_read\n");
  return exit_ok;
}

}  // namespace

void add_list(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<Options>();
  auto* command = program.add_subcommand("list", "list variants and, for one, its axes");
  command->add_option("VARIANT", options->variant, "show this variant's axes, defaults and accepted values");
  command->add_option("--worker", options->workers, "NAME=CMD: a worker of your own, listed too")
      ->type_name("NAME[=CMD]")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  command->add_flag("--json", options->json, "print everything as JSON");
  command->footer("Example:\n  uotbench list uot/one_read");
  command->callback([options, &chosen] { chosen = [options] { return list(*options); }; });
}

}  // namespace uotbench
