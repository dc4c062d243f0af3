#include "tools/uotbench/packing/crate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

std::string format_of(const std::string& file) {
  constexpr std::pair<const char*, const char*> formats[]{{".json", "application/json"},
                                                          {".jsonl", "application/jsonl"},
                                                          {".md", "text/markdown"},
                                                          {".csv", "text/csv"},
                                                          {".svg", "image/svg+xml"}};
  for (const auto& [ending, format] : formats)
    if (file.ends_with(ending)) return format;
  return "text/plain";
}

Json reference(const std::string& id) { return {{"@id", id}}; }

/// What measured it, from what, and when.
Json action_of(const PackedRun& run) {
  Json action{{"@id", "#run-" + run.stem},
              {"@type", "CreateAction"},
              {"name", "measuring " + run.sweep_name()},
              {"instrument", reference("#uotbench")},
              {"object", Json::array({reference(run.sweep_file())})},
              {"result", Json::array({reference(run.file())})}};
  if (const std::string& start = run.run.header.started; !start.empty()) action["startTime"] = start;
  if (const std::string end = run.run.end.value_or(RunEnd()).finished(); !end.empty())
    action["endTime"] = end;
  return action;
}

}  // namespace

std::string crate_of(const std::string& name, const PackedRuns& runs, const PackedFiles& files) {
  std::string published;
  for (const auto& each : runs) published = std::max(published, day_of(each->run));
  Json parts = Json::array(), graph = Json::array(), actions = Json::array();
  for (const auto& [file, text] : files) parts.push_back(reference(file));
  for (const auto& each : runs) actions.push_back(reference("#run-" + each->stem));
  graph.push_back({{"@id", crate_file},
                   {"@type", "CreativeWork"},
                   {"conformsTo", reference("https://w3id.org/ro/crate/1.1")},
                   {"about", reference("./")}});
  graph.push_back(
      {{"@id", "./"},
       {"@type", "Dataset"},
       {"name", name},
       {"description", "Measurements by uotbench, with the sweeps, figures and verdicts that belong to them"},
       {"datePublished", published},
       {"license", reference("LICENSE")},
       {"hasPart", parts},
       {"mentions", actions}});
  for (const auto& [file, text] : files)
    graph.push_back({{"@id", file},
                     {"@type", "File"},
                     {"name", std::filesystem::path(file).filename().string()},
                     {"contentSize", std::to_string(text.size())},
                     {"encodingFormat", format_of(file)}});
  Json software{{"@id", "#uotbench"}, {"@type", "SoftwareApplication"}, {"name", "uotbench"}};
  if (const std::string& version = runs.front()->run.header.uotbench; !version.empty())
    software["softwareVersion"] = version;
  graph.push_back(std::move(software));
  for (const auto& each : runs) graph.push_back(action_of(*each));
  return Json{{"@context", "https://w3id.org/ro/crate/1.1/context"}, {"@graph", graph}}.dump(2) + "\n";
}

}  // namespace uotbench
