#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "harness/sweep/language/schema.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/base/whole_file.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/view/metrics.hpp"
#include "results/view/published.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/packing/artefact.hpp"

namespace uotbench {

namespace fs = std::filesystem;

namespace {

std::string plain_stem(const fs::path& path) {
  std::string stem = path.stem().string();
  for (char& c : stem) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 128 || !(std::isalnum(byte) || c == '.' || c == '_' || c == '-')) c = '_';
  }
  if (stem.front() == '.') stem.front() = '_';
  return stem;
}

/// Lines, each once, in the order in which they came.
class OnceEach {
 public:
  void add(const std::string& line) {
    if (std::ranges::find(lines_, line) == lines_.end()) lines_.push_back(line);
  }
  std::vector<std::string> all() && { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

/// Of a run that was merged several: each that its records are from.
std::vector<MachineFacts> machines_of(const Run& run) {
  if (run.header.machines.empty()) return {run.header.machine};
  std::vector<MachineFacts> all;
  for (const auto& [fingerprint, machine] : run.header.machines) all.push_back(machine);
  return all;
}

std::string line_of(const MachineFacts& machine) {
  const auto numbers = machine_numbers(machine);
  const auto number = [&](const char* name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::optional<double>() : std::optional(found->second);
  };
  std::vector<std::string> parts{machine.cpu().empty() ? "an unknown CPU" : machine.cpu()};
  if (const auto cores = number("physical_cores")) parts.push_back(fmt::format("{:.0f} cores", *cores));
  for (const char* level : {"L1", "L2", "L3"})
    if (const auto bytes = number(fmt::format("{}_bytes", level).c_str()))
      parts.push_back(fmt::format("{} {}", level, format_bytes(*bytes)));
  if (const auto bytes = number("memory")) parts.push_back(fmt::format("memory {}", format_bytes(*bytes)));
  for (const auto* part : {&machine.hashed(), &machine.recorded()})
    for (const char* key : {"architecture", "hypervisor", "os", "kernel", "gpu"})
      if (const std::string text = text_in(*part, key); !text.empty()) parts.push_back(text);
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string PackedRun::sweep_name() const {
  const std::string name = run.header.sweep.name();
  return name.empty() ? stem : name;
}

PackedRuns packed_runs(const std::vector<std::string>& names) {
  PackedRuns runs;
  std::set<std::string> stems;
  std::set<fs::path> files;
  for (const auto& name : names) {
    const fs::path path = find_run(name);
    if (!files.insert(fs::weakly_canonical(path)).second)
      throw UsageError(fmt::format("pack: {} is given twice: give each run once", path.string()));
    auto run = std::make_unique<PackedRun>();
    run->run = read_run(path);
    if (!run->run.unfinished.empty())
      throw UsageError(fmt::format(
          "pack: {}: {} of its cases have no result yet: uotbench run --resume --output {} goes on",
          path.string(), run->run.unfinished.size(), path.string()));
    run->text = read_whole(path);
    const std::string stem = plain_stem(path);
    run->stem = stem;
    for (int number = 2; !stems.insert(run->stem).second; ++number)
      run->stem = fmt::format("{}-{}", stem, number);
    run->run.path = run->file();
    runs.push_back(std::move(run));
  }
  return runs;
}

std::optional<double> minutes_of(const Run& run) {
  if (!run.resumes.empty() || !run.end) return std::nullopt;
  const auto elapsed = run.end->elapsed();
  return elapsed ? std::optional(*elapsed / 60) : std::nullopt;
}

std::string day_of(const Run& run) { return run.header.started.substr(0, 10); }

std::vector<std::string> machines_in(const PackedRuns& runs) {
  OnceEach lines;
  for (const auto& each : runs)
    for (const auto& machine : machines_of(each->run)) lines.add(line_of(machine));
  return std::move(lines).all();
}

std::vector<std::string> software_in(const PackedRuns& runs) {
  OnceEach lines;
  for (const auto& each : runs) {
    lines.add("uotbench " + each->run.header.uotbench);
    for (const auto& [name, build] : each->run.header.workers) {
      std::vector<std::string> parts;
      for (const auto& [key, value] : build.json().items()) {
        if (!value.is_string() || key == "hash" || key == "commit" || key == "uotbench") continue;
        const bool plain = key == "compiler" || key == "flags" || key == "build_type";
        parts.push_back(plain ? value.get<std::string>()
                              : fmt::format("{} {}", key, value.get<std::string>()));
      }
      if (const std::string commit = build.commit(); !commit.empty())
        parts.push_back(fmt::format("commit {}{}", commit, build.dirty() ? ", with changes" : ""));
      lines.add(fmt::format("worker {}: {}", name, fmt::join(parts, "; ")));
    }
    for (const auto& record : each->run.records)
      for (const char* key : {"packages", "blas"})
        if (const std::string text = record.env.text(key); !text.empty()) lines.add(text);
  }
  return std::move(lines).all();
}

Json machines_json(const PackedRuns& runs) {
  Json all = Json::object();
  for (const auto& each : runs) {
    Json& machines = all[each->file()] = Json::array();
    for (const auto& machine : machines_of(each->run)) machines.push_back(machine.json());
  }
  return all;
}

Json versions_json(const PackedRuns& runs) {
  Json all = Json::object();
  for (const auto& each : runs)
    all[each->file()] = {{"uotbench", each->run.header.uotbench},
                         {"workers", to_json(each->run.header.workers)},
                         {"command", each->run.header.command}};
  return all;
}

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
