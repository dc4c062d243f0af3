#include "harness/sweep/workers/manifest.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <utility>

#include "harness/host/facts/usable.hpp"
#include "harness/host/process/program.hpp"
#include "harness/sweep/language/schema.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

std::string replaced(std::string text, const std::string& name, const std::string& value) {
  const std::string place = "{" + name + "}";
  for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size())
    text.replace(at, place.size(), value);
  return text;
}

/// A build that counts for others is made for that, and slower than what is timed.
std::vector<std::string> steps_wanted(const Json& json) {
  const auto standard = json.contains("counts") ? std::vector<std::string>{step::count} : Manifest{}.steps;
  return json.value("steps", standard);
}

std::map<std::string, std::vector<std::string>> commands_in(const Json& json) {
  std::map<std::string, std::vector<std::string>> commands;
  const Json counted_by = json.value("counted_by", Json::object());
  for (const auto& [source, command] : counted_by.items()) commands[source] = command;
  return commands;
}

bool names(const Manifest& manifest, const std::string& place) {
  const auto has = [&](const std::string& text) { return text.find(place) != std::string::npos; };
  return std::ranges::any_of(manifest.command, has) || std::ranges::any_of(manifest.environment, has);
}

constexpr const char* by_ranks = "{ranks}";
// Beyond any machine; a larger number is a slip of the keyboard.
constexpr int most_processes = 65536;

/// What it starts where no case says how many: what it always starts, or one.
std::int64_t usual_processes(const Manifest& manifest) {
  return manifest.launches() && !manifest.launches_ranks() ? std::stoll(manifest.processes) : 1;
}

/// A number, or as many as there are ranks.
std::string processes_in(const Json& json) {
  const Json processes = json.value("processes", Json(""));
  return processes.is_string() ? processes.get<std::string>() : to_line(processes);
}

/// A launcher that is not told how many, or is told and does not say it: throws UsageError.
void require_told(const Manifest& manifest, const std::string& file) {
  if (names(manifest, by_ranks) == (manifest.processes == by_ranks)) return;
  throw UsageError(
      fmt::format("{}: /processes: {}; expected \"{{ranks}}\", and {{ranks}} in command or environment", file,
                  manifest.processes == by_ranks ? "neither command nor environment says {ranks}"
                                                 : "command or environment says {ranks}, and this does not"));
}

/// Steps that belong together: throws UsageError naming what is missing.
void require_sound(const Manifest& manifest, bool has_steps, const std::string& file) {
  const auto wrong = [&](const char* key, const std::string& text) {
    return UsageError(fmt::format("{}: /{}: {}", file, key, text));
  };
  if (!manifest.sources.empty() && !manifest.variants.empty())
    throw wrong("variants",
                fmt::format("expected \"sources\" without \"variants\" (the sources name them), got {}",
                            to_line(Json(manifest.variants))));
  if (manifest.judge) {
    if (has_steps) throw wrong("steps", "a judge has no cases of its own; expected \"judge\" or \"steps\"");
    return;
  }
  if (manifest.does(step::time) && !manifest.does(step::verify))
    throw wrong("steps", "\"time\" without \"verify\": what was not verified is not timed");
  if (!manifest.does(step::verify) && manifest.counts.empty())
    throw wrong("steps",
                "\"count\" alone is a source for the cases of other workers: name it, as \"counts\": "
                "\"callgrind\"");
  if (!manifest.counts.empty() && !manifest.does(step::count))
    throw wrong("steps", fmt::format("the source {} has to count: add \"count\"", manifest.counts));
  for (const auto& [key, has] : {std::pair("counters", !manifest.counters.empty()),
                                 {"auto", !manifest.automatic.empty()},
                                 {"counted_by", !manifest.counted_by.empty()}})
    if (has && !manifest.runs_cases())
      throw wrong(key, "counted of cases of its own, and without \"verify\" among its steps it has none");
  if (!manifest.outside.empty() && manifest.counts.empty())
    throw wrong("outside", "counts cases of workers that name no build for a source, and it is no source");
}

Manifest manifest_from(const Json& json, const std::string& file, const fs::path& bin) {
  Manifest manifest{.name = json.at("name"),
                    .about = json.value("about", ""),
                    .command = json.at("command"),
                    .environment = {},
                    .isa = json.value("isa", ""),
                    .judge = json.value("judge", false),
                    .adapter = json.value("adapter", false),
                    .counts = json.value("counts", ""),
                    .outside = json.value("outside", std::vector<std::string>{}),
                    .counted_by = commands_in(json),
                    .steps = steps_wanted(json),
                    .counters = json.value("counters", std::vector<std::string>{}),
                    .automatic = json.value("auto", std::vector<std::string>{}),
                    .examine = json.value("examine", std::vector<std::string>{}),
                    .sources = json.value("sources", ""),
                    .variants = json.value("variants", std::vector<std::string>{}),
                    .processes = processes_in(json),
                    .prefer = json.value("prefer", json.value("rank", 0))};  // its former name
  require_sound(manifest, json.contains("steps"), file);
  const Json environment = json.value("environment", Json::object());
  for (const auto& [name, value] : environment.items())
    manifest.environment.push_back(name + "=" + value.get<std::string>());
  require_told(manifest, file);
  auto values = json.value("values", std::map<std::string, std::string>{});
  values["bin"] = bin.string();
  return manifest.with(values);
}

/// The worker that a file describes, and those that differ from it in the keys listed under "also".
std::vector<Manifest> manifests_from(Json json, const std::string& file, const fs::path& bin) {
  validate(json, manifest_schema(), file);
  const Json also = json.value("also", Json::array());
  json.erase("also");
  std::vector<Manifest> all{manifest_from(json, file, bin)};
  for (const auto& differences : also) {
    Json other = json;
    other.merge_patch(differences);
    const std::string place = fmt::format("{}: {}", file, differences.at("name").get<std::string>());
    validate(other, manifest_schema(), place);
    all.push_back(manifest_from(other, place, bin));
  }
  return all;
}

/// The folder that CMake builds a program in; it has bin, where the program is put.
fs::path build_of(const fs::path& program) { return program.parent_path().parent_path(); }

/// The target that builds `program`, where it is not there and CMake knows how it is built; else empty.
std::string absent_target(const std::string& program) {
  const fs::path path(program);
  if (path.parent_path().filename() != "bin" || ::access(program.c_str(), X_OK) == 0) return "";
  const std::string target = path.filename();
  std::ifstream list(build_of(path) / "CMakeFiles/TargetDirectories.txt");
  for (std::string line; std::getline(list, line);)
    if (line.ends_with("/" + target + ".dir")) return target;
  return "";
}

/// As somebody would write it who stands here.
std::string shown(const fs::path& folder) {
  std::error_code none;
  const fs::path here = fs::current_path(none);
  const fs::path near = folder.lexically_relative(here);
  const bool below = !none && !near.empty() && *near.begin() != "..";
  return below ? near.string() : folder.string();
}

}  // namespace

bool Manifest::does(std::string_view step) const {
  return !judge && std::ranges::find(steps, step) != steps.end();
}

Manifest Manifest::with(const std::map<std::string, std::string>& values) const {
  Manifest manifest = *this;
  for (const auto& [place, value] : values) {
    for (auto* const words : {&manifest.command, &manifest.outside, &manifest.examine})
      for (auto& word : *words) word = replaced(word, place, value);
    for (auto& [source, words] : manifest.counted_by)
      for (auto& word : words) word = replaced(word, place, value);
    for (auto& setting : manifest.environment) setting = replaced(setting, place, value);
    manifest.about = replaced(manifest.about, place, value);
  }
  return manifest;
}

bool Manifest::launches_ranks() const {
  return processes == by_ranks || (processes.empty() && names(*this, by_ranks));
}

Axis Manifest::ranks_axis() const {
  return {.name = setting_axis::ranks,
          .kind = Axis::Kind::integer,
          .role = Role::setting,
          .standard = usual_processes(*this),
          .least = 1,
          .most = most_processes,
          .about = "processes, each with its threads"};
}

std::string Manifest::refusal(const Settings& settings) const {
  if (launches_ranks()) return "";
  const std::int64_t its = usual_processes(*this);
  if (settings.ranks == its) return "";
  return fmt::format("worker {} {}: ranks must be {}", name,
                     launches() ? fmt::format("starts {} processes", its) : "is one process", its);
}

Manifest Manifest::launched(const Settings& settings) const {
  const std::string ranks = launches_ranks() ? std::to_string(settings.ranks) : processes;
  Manifest manifest = with({{"ranks", ranks}, {"threads", std::to_string(settings.threads)}});
  manifest.processes = ranks;
  return manifest;
}

std::vector<std::string> split_command(const std::string& text, const std::string& flag) {
  std::vector<std::string> list;
  std::string word;
  bool within = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '"' && c == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) {
      word += text[++i];
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c, within = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      word += text[++i], within = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (within) list.push_back(std::exchange(word, {}));
      within = false;
    } else {
      word += c, within = true;
    }
  }
  if (quote) throw UsageError(fmt::format("{}: the quote {} is not closed in: {}", flag, quote, text));
  if (within) list.push_back(word);
  return list;
}

std::string Manifest::build_command() const {
  // A worker that another program runs, as valgrind does, has to be there as well.
  for (const auto& word : command)
    if (const auto target = absent_target(word); !target.empty())
      return fmt::format("cmake --build {} --target {}", shown(build_of(word)), target);
  return "";
}

std::string Manifest::unbuilt() const {
  const std::string build = build_command();
  return build.empty() ? "" : fmt::format("worker {} is not built; build it: {}", name, build);
}

bool Manifest::is_unbuilt() const { return supports_isa(isa) && !build_command().empty(); }

std::string Manifest::obstacle() const {
  if (!supports_isa(isa)) return fmt::format("worker {} needs {}, this CPU has {}", name, isa, best_isa());
  if (const auto text = unbuilt(); !text.empty()) return text;
  const auto& program = command.front();
  if (program.find('/') != std::string::npos && ::access(program.c_str(), X_OK) != 0)
    return fmt::format("worker {} is not built: no program {}", name, on_one_line(program));
  if (!given && program.find('/') == std::string::npos && program_in_path(program).empty())
    return fmt::format("worker {} needs {}, which is not installed", name, on_one_line(program));
  return "";
}

Manifest read_manifest(const fs::path& file, const fs::path& bin, const std::string& name) {
  return manifests_from(read_strictly(file), name, bin).front();
}

std::vector<Manifest> read_manifests(const fs::path& folder, const fs::path& bin) {
  std::vector<Manifest> all;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    if (entry.path().extension() != ".json") continue;
    for (auto& manifest : manifests_from(read_strictly(entry.path()), entry.path().filename(), bin))
      all.push_back(std::move(manifest));
  }
  if (missing)
    throw UsageError(
        fmt::format("{}: worker manifests cannot be read: {}", folder.string(), missing.message()));
  std::sort(all.begin(), all.end(), [](const Manifest& a, const Manifest& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(all.begin(), all.end(),
                                        [](const auto& a, const auto& b) { return a.name == b.name; });
  if (twice != all.end())
    throw UsageError(fmt::format("{}: two manifests are named {}", folder.string(), twice->name));
  return all;
}

}  // namespace uotbench
