#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/packing/artefact.hpp"

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

namespace fs = std::filesystem;

namespace {

/// Drawing a figure and judging a claim take less; a person reads, too.
constexpr double seconds_a_figure = 1;

std::string template_text(const char* name) {
  const fs::path path = templates_folder() / "artefact" / name;
  std::ifstream in(path);
  if (!in) throw UsageError(fmt::format("pack: {} cannot be read; install uotbench again", path.string()));
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string list_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += fmt::format("- {}\n", markdown_escaped(line));
  return text.empty() ? "- TODO(author): nothing of it is in the runs\n" : text;
}

/// Whole minutes, at least one: what a reviewer plans with.
std::string whole_minutes(double minutes) { return fmt::format("{:.0f}", std::max(1., std::ceil(minutes))); }

std::string run_rows(const PackedRuns& runs) {
  std::string rows;
  for (const auto& each : runs) {
    const auto minutes = minutes_of(each->run);
    rows += fmt::format("| `{}` | {} | {} | {} | {} |\n", each->file(), markdown_escaped(each->sweep_name()),
                        each->run.records.size(), day_of(each->run),
                        minutes ? whole_minutes(*minutes) : "TODO(author) (it was interrupted)");
  }
  return rows;
}

std::string execution_minutes(const PackedRuns& runs) {
  double sum = 0;
  bool all = true;
  for (const auto& each : runs) {
    const auto minutes = minutes_of(each->run);
    sum += minutes.value_or(0);
    all = all && minutes;
  }
  return all ? whole_minutes(sum)
             : fmt::format("TODO(author) (more than {}: a run was interrupted)", whole_minutes(sum));
}

std::string figure_rows(const PackedFiles& files) {
  const auto spec = files.find("figures/figures.json");
  if (spec == files.end()) return "| none | | |\n";
  std::string rows;
  const Json json = Json::parse(spec->second);
  for (const auto& figure : json.at("figures")) {
    std::vector<std::string> runs;
    for (const auto& run : figure.at("runs"))
      runs.push_back(fmt::format("`{}`", run.get<std::string>().substr(3)));
    const fs::path file = figure.at("file").get<std::string>();
    rows += fmt::format("| `figures/{}` | {} | {} |\n", file.string(), figure.at("kind").get<std::string>(),
                        fmt::join(runs, ", "));
  }
  return rows;
}

/// Of each paper: its file, and how many claims have which verdict.
std::string claim_rows(const PackedFiles& files) {
  std::string rows;
  for (const auto& [name, text] : files) {
    if (!name.ends_with(".verdicts.json")) continue;
    const Json json = Json::parse(text);
    std::map<std::string, int> tally;
    for (const auto& claim : json.at("claims")) {
      const auto verdict = claim.at("verdict").get<std::string>();
      ++tally[verdict.starts_with("depends on") ? "depends on a reading"
                                                : verdict.substr(0, verdict.find(':'))];
    }
    std::vector<std::string> counts;
    for (const auto& [verdict, count] : tally) counts.push_back(fmt::format("{} {}", count, verdict));
    const std::string base = name.substr(0, name.size() - std::string(".verdicts.json").size());
    rows += fmt::format("| `{}.md` | {} | {} |\n", base,
                        markdown_escaped(json.at("title").get<std::string>()), fmt::join(counts, ", "));
  }
  return rows.empty() ? "| none | | |\n" : rows;
}

/// The figures and tables of papers that claims are of.
std::string elements_of(const PackedFiles& files) {
  std::vector<std::string> places;
  for (const auto& [name, text] : files) {
    if (!name.ends_with(".verdicts.json")) continue;
    const Json json = Json::parse(text);
    for (const auto& claim : json.at("claims"))
      if (const auto place = claim.at("in").get<std::string>();
          std::ranges::find(places, place) == places.end())
        places.push_back(place);
  }
  return places.empty() ? "TODO(author) (figures and tables of the paper)"
                        : fmt::format("{}", fmt::join(places, ", "));
}

std::string tasks_of(const PackedRuns& runs) {
  std::string text;
  int number = 1;
  for (const auto& each : runs)
    text += fmt::format("- T{}: `uotbench rerun {}`, after the set-up\n", number++, each->file());
  return text;
}

std::string commands_of(const PackedRuns& runs) {
  std::string text;
  for (const auto& each : runs) text += fmt::format("uotbench rerun {}\n", each->file());
  return text;
}

std::string families_of(const PackedRuns& runs) {
  std::set<std::string> variants;
  for (const auto& each : runs)
    for (const auto& record : each->run.records) variants.insert(record.variant);
  return shortened({variants.begin(), variants.end()}, 12);
}

}  // namespace

std::string filled(const std::string& text, const std::map<std::string, std::string>& words) {
  std::string whole;
  for (std::size_t at = 0;;) {
    const auto open = text.find("{{", at);
    whole += text.substr(at, open - at);
    if (open == std::string::npos) return whole;
    const auto close = text.find("}}", open);
    if (close == std::string::npos) throw Error("a template of templates/artefact has {{ without }}");
    const std::string word = text.substr(open + 2, close - open - 2);
    const auto value = words.find(word);
    if (value == words.end()) throw Error(fmt::format("a template of templates/artefact asks for {}", word));
    whole += value->second;
    at = close + 2;
  }
}

PackedFiles pages_of(const std::string& name, const PackedRuns& runs, const PackedFiles& files) {
  std::size_t bytes = 0, figures = 0;
  for (const auto& [file, text] : files) bytes += text.size(), figures += file.ends_with(".svg");
  std::string day;
  for (const auto& each : runs) day = std::max(day, day_of(each->run));
  const std::map<std::string, std::string> words{
      {"artefact", name},
      {"day", day},
      {"runs", run_rows(runs)},
      {"figures", figure_rows(files)},
      {"claims", claim_rows(files)},
      {"elements", elements_of(files)},
      {"hardware", list_of(machines_in(runs))},
      {"software", list_of(software_in(runs))},
      {"variants", families_of(runs)},
      {"tasks", tasks_of(runs)},
      {"commands", commands_of(runs)},
      {"execution", execution_minutes(runs)},
      {"analysis", whole_minutes(static_cast<double>(figures) * seconds_a_figure / 60)},
      {"disk", format_bytes(static_cast<double>(bytes))}};
  PackedFiles pages;
  for (const char* page : {"README.md", "appendix.md", "checklist.md"})
    pages[page] = filled(template_text(page), words);
  return pages;
}

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
