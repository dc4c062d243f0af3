#include "tools/uotbench/packing/pack_figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/sweep/language/schema.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/view/published.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/flags/locations.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

Json own_figures(const PackedRuns& runs) {
  Json figures = Json::array();
  for (const auto& each : runs) {
    const RunView view = view_under_roofs(each->run);
    for (const auto& kind : figure_kinds()) try {
        // Without what others published, speedups tell what a ladder does.
        if (kind == "ladder" && !published_of(each->run.header)) continue;
        figure_of({.kind = kind, .width = 14}, {&view});
        figures.push_back({{"file", fmt::format("{}-{}.svg", each->stem, kind)},
                           {"kind", kind},
                           {"runs", {"../" + each->file()}},
                           {"width", "14cm"}});
      } catch (const UsageError&) {
        // The run has nothing for this kind.
      }
  }
  return figures;
}

/// The packed run that a figure calls by a file's name or by a sweep's.
std::string packed_name(const PackedRuns& runs, const std::string& name, const std::string& where) {
  const std::string file = fs::path(name).filename().string();
  std::vector<std::string> known;
  for (const auto& each : runs) {
    if (file == each->stem || file == each->stem + ".jsonl" || name == each->sweep_name())
      return "../" + each->file();
    known.push_back(each->stem);
  }
  throw UsageError(fmt::format("{}: \"{}\" is none of the packed runs: give that run, too; there are: {}",
                               where, name, fmt::join(known, ", ")));
}

Json given_figures(const PackedRuns& runs, const std::string& path) {
  Json spec = read_strictly(path);
  const std::string name = fs::path(path).filename().string();
  validate(spec, read_strictly(configs_folder() / "figures.schema.json"), name);
  for (std::size_t i = 0; i < spec["figures"].size(); ++i) {
    Json& figure = spec["figures"][i];
    const std::string where = fmt::format("{}: /figures/{}", name, i);
    if (figure.contains("machine"))
      throw UsageError(
          fmt::format("{}/machine: an artefact is drawn from its runs alone: leave this figure out", where));
    for (auto& run : figure["runs"]) run = packed_name(runs, run, where + "/runs");
    figure["file"] =
        fs::path(figure["file"].get<std::string>()).filename().replace_extension(".svg").string();
    figure.erase("keep");
    figure.erase("data");
  }
  return spec["figures"];
}

}  // namespace

Json figures_for(const PackedRuns& runs, const std::string& spec) {
  Json figures = spec.empty() ? own_figures(runs) : given_figures(runs, spec);
  // Each leaves its data and its script.
  for (auto& figure : figures) figure["keep"] = figure["data"] = true;
  if (figures.empty()) return nullptr;
  return {{"figures", figures}};
}

}  // namespace uotbench
