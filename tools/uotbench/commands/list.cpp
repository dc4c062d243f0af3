// uotbench list: which variants there are, on which workers; one variant's axes; what a family computes.
#include <fmt/format.h>
#include <fnmatch.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "harness/protocol/point_json.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/views/machine.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

struct ListOptions {
  std::string what;
  std::vector<std::string> workers;
  bool json = false;
};

/// Every variant with the workers that hold it; those that cannot be asked are left out.
std::map<std::string, ListedVariant> entries(WorkerPool& pool) {
  std::map<std::string, ListedVariant> all;
  for (const auto& manifest : pool.manifests()) {
    if (!manifest.runs_cases()) continue;
    for (const auto& [name, info] : pool.worker_info(manifest.name).variants) {
      Document kernels = std::move(all[name].info.kernels);  // only the build for the device itself has them
      all[name].info = info;
      if (!info.kernels.json().is_array()) all[name].info.kernels = std::move(kernels);
      all[name].workers.push_back(manifest.name);
    }
  }
  return all;
}

/// The family's, then its own.
std::vector<Axis> all_axes(WorkerPool& pool, const ListedVariant& variant) {
  std::vector<Axis> axes = pool.families().at(variant.info.family()).axes;
  axes.insert(axes.end(), variant.info.axes.begin(), variant.info.axes.end());
  return axes;
}

Json to_json(WorkerPool& pool, const ListedVariant& variant) {
  Json axes = Json::array();
  for (const auto& axis : all_axes(pool, variant)) axes.push_back(uotbench::to_json(axis));
  Json json{{"name", variant.info.name},
            {"summary", variant.info.summary},
            {"workers", variant.workers},
            {"axes", axes}};
  for (const auto& point : variant.info.points) json["points"].push_back(point.json());
  if (const Json& kernels = variant.info.kernels.json(); kernels.is_array()) json["kernels"] = kernels;
  return json;
}

/// "points: n:8 mode:fast, n:64 mode:fast"; empty where it has any.
std::string points_text(const VariantInfo& variant) {
  constexpr std::size_t most_shown = 50;
  std::vector<std::string> points;
  for (const auto& point : variant.points) {
    std::string text;
    for (const auto& [axis, value] : point.json().items())
      text += fmt::format("{}{}:{}", text.empty() ? "" : " ", axis, value_text(value));
    points.push_back(text);
  }
  return points.empty() ? "" : fmt::format("points: {}\n", shortened(points, most_shown));
}

Json to_json(const FamilyInfo& family) {
  Json axes = Json::array(), arrays = Json::array();
  for (const auto& axis : family.axes) axes.push_back(to_json(axis));
  for (const auto& array : family.arrays)
    arrays.push_back({{"name", array.name},
                      {"shape", array.shape},
                      {"type", array.type},
                      {"output", array.output},
                      {"about", array.about}});
  return {{"name", family.name},
          {"summary", family.summary},
          {"axes", axes},
          {"mathematics", family.mathematics},
          {"arrays", arrays},
          {"iterations", family.iterations},
          {"loosest", family.loosest},
          {"memoryless", family.memoryless}};
}

/// Variants, and families, by name.
std::vector<std::string> names_of(WorkerPool& pool, const std::map<std::string, ListedVariant>& variants) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : variants) names.push_back(name);
  for (const auto& [name, family] : pool.families()) names.push_back(name);
  return names;
}

/// Those that the pattern matches. Throws UsageError where none does.
std::map<std::string, ListedVariant> matching(WorkerPool& pool, std::map<std::string, ListedVariant> variants,
                                              const std::string& pattern) {
  const auto names = names_of(pool, variants);
  std::erase_if(variants,
                [&](const auto& entry) { return ::fnmatch(pattern.c_str(), entry.first.c_str(), 0) != 0; });
  if (variants.empty())
    throw UsageError(fmt::format("no variant matches \"{}\"{}", pattern, did_you_mean(pattern, names)));
  return variants;
}

/// Workers that do not work, those that have to be built, and those of `given` (NAME[=CMD]) that cannot run.
void tell_absent_workers(WorkerPool& pool, const std::vector<std::string>& given, const Terminal& terminal) {
  for (const auto& manifest : pool.manifests()) {
    if (!manifest.runs_cases()) continue;
    const auto& failure = pool.worker_info(manifest.name).failure;
    if (!failure) continue;
    if (failure->status != Status::skipped)
      fmt::print("\n{}", paragraph(fmt::format("worker {} does not work: ", manifest.name), failure->reason,
                                   terminal));
    else if (manifest.is_unbuilt())
      fmt::print("\n{}\n", on_one_line(failure->reason));  // one line, whatever the width: to be copied
    else if (std::ranges::any_of(given, [&](const std::string& argument) {
               return argument.substr(0, argument.find('=')) == manifest.name;
             }))
      fmt::print("\n{}", paragraph("", failure->reason, terminal));
  }
}

int list(const ListOptions& options) {
  const Terminal terminal = terminal_of(stdout);
  const RunContext context;
  WorkerPool pool(with_workers(read_manifests(configs_folder() / "workers", bin_folder()), options.workers),
                  context);
  auto all = entries(pool);
  if (const auto variant = all.find(options.what); variant != all.end()) {
    if (options.json)
      print_json(to_json(pool, variant->second));
    else
      fmt::print("{}{}", axes_of(variant->second, all_axes(pool, variant->second), terminal),
                 points_text(variant->second.info));
    return exit_ok;
  }
  if (const auto family = pool.families().find(options.what); family != pool.families().end()) {
    if (options.json)
      print_json(to_json(family->second));
    else
      fmt::print("{}", page_of(family->second, terminal));
    return exit_ok;
  }
  const bool pattern = options.what.find_first_of("*?[") != std::string::npos;
  if (pattern) all = matching(pool, std::move(all), options.what);
  if (!pattern && !options.what.empty())
    throw UsageError(fmt::format("no variant and no family \"{}\"{}", options.what,
                                 did_you_mean(options.what, names_of(pool, all))));
  if (options.json) {
    Json rows = Json::array();
    for (const auto& [name, entry] : all) rows.push_back(to_json(pool, entry));
    print_json(rows);
    return exit_ok;
  }
  fmt::print("{}", table_of(all, terminal));
  if (pattern) return exit_ok;
  tell_absent_workers(pool, options.workers, terminal);
  fmt::print("\naxes of one: uotbench list uot/one_read; what a family computes: uotbench list uot\n");
  return exit_ok;
}

}  // namespace

void add_list(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ListOptions>();
  auto* command = program.add_subcommand("list", "list variants, the axes of one, or what a family computes");
  command->add_option(
      "WHAT", options->what,
      "a variant: its axes, defaults and accepted values; a pattern such as 'uot/*': the variants "
      "that it matches; a family such as uot: its axes, arrays and formulas");
  command->add_option("--worker", options->workers, "a worker of your own, listed too")
      ->type_name("NAME[=CMD]")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  command->add_flag("--json", options->json, "print everything as JSON");
  command->footer(
      "Examples:\n"
      "  uotbench list uot/one_read\n"
      "  uotbench list 'uot/cuda_*'\n"
      "  uotbench list uot");
  command->callback([options, &chosen] { chosen = [options] { return list(*options); }; });
}

}  // namespace uotbench
