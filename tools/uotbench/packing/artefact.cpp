#include "tools/uotbench/packing/artefact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "harness/host/process/files.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/whole_file.hpp"
#include "results/claims/claims.hpp"
#include "results/export/export.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/claim_runs.hpp"
#include "tools/uotbench/running/figure_jobs.hpp"

namespace uotbench {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> files_in(const fs::path& folder, const std::string& ending) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().filename().string().ends_with(ending)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// What is drawn is the artefact's own: no file of this machine, and no run that lies here by chance.
void require_own(const FigureJob& job, const fs::path& folder) {
  for (const auto& run : job.runs)
    if (run != "../runs/" + fs::path(run).filename().string() ||
        !fs::is_regular_file(folder / "figures" / run))
      throw UsageError(
          fmt::format("{}/runs: expected a run of the artefact, such as ../runs/a.jsonl, got \"{}\"",
                      job.pointer, on_one_line(run)));
  if (!job.machines.empty())
    throw UsageError(
        fmt::format("{}/machine: an artefact is drawn from its runs alone: leave it out", job.pointer));
}

void add_figures(const fs::path& folder, PackedFiles& all) {
  const fs::path spec = folder / "figures/figures.json";
  if (!fs::is_regular_file(spec)) return;
  const auto jobs = read_jobs(spec, "");
  for (const auto& job : jobs) require_own(job, folder);
  const auto drawings = drawings_of(jobs, spec.parent_path());
  const TemporaryFolder drawn("drawn");
  for (std::size_t i = 0; i < jobs.size(); ++i)
    draw(drawings[i], drawn.path() / jobs[i].file.filename(), {.keep = true, .data = true});
  for (const auto& path : files_in(drawn.path(), ""))
    all["figures/" + path.filename().string()] = read_whole(path);
}

void add_verdicts(const fs::path& folder, PackedFiles& all) {
  std::vector<Run> runs;
  for (const auto& paper : files_in(folder / "claims", ".json")) {
    if (paper.filename().string().ends_with(".verdicts.json")) continue;
    if (runs.empty())
      for (const auto& path : files_in(folder / "runs", ".jsonl")) {
        runs.push_back(read_run(path));
        runs.back().path = "runs/" + path.filename().string();
      }
    const ClaimFile file = read_claims(paper.string());
    std::vector<ClaimResult> results;
    for (const auto& claim : file.claims) results.push_back(result_in(runs, claim, file));
    const std::string name = "claims/" + paper.stem().string();
    all[name + ".verdicts.json"] = claims_json(file, results).dump(2) + "\n";
    all[name + ".md"] = markdown_of(claims_table(file, results));
  }
}

}  // namespace

PackedFiles derived_from(const fs::path& folder) {
  PackedFiles all;
  add_figures(folder, all);
  add_verdicts(folder, all);
  return all;
}

namespace {

std::string json_text(const Json& json) { return json.dump(2) + "\n"; }

/// That of the program, which its sweeps, claims and templates are under.
std::string license_text() {
  const fs::path data = configs_folder().parent_path();
  for (const fs::path& path : {data / "LICENSE", data.parent_path() / "doc/uotbench/LICENSE"})
    if (fs::is_regular_file(path)) return read_whole(path);
  throw UsageError(fmt::format(
      "pack: LICENSE is neither in {} nor in the installed pages; install uotbench again", data.string()));
}

/// Those that the author has written on.
void take_pages(const fs::path& folder, PackedFiles& pages) {
  bool any = false;
  for (auto& [name, text] : pages)
    if (fs::is_regular_file(folder / name)) text = read_whole(folder / name), any = true;
  if (!any)
    throw UsageError(
        fmt::format("--pages {}: none of README.md, appendix.md and checklist.md is there", folder.string()));
}

/// What first lines tell.
PackedFiles facts_of(const PackedRuns& runs) {
  PackedFiles files{{"machines.json", json_text(machines_json(runs))},
                    {"versions.json", json_text(versions_json(runs))}};
  for (const auto& each : runs) files[each->sweep_file()] = json_text(each->run.header.sweep.json());
  return files;
}

/// The artefact's runs, in the order in which it was given them, which machines.json has.
std::vector<std::string> runs_in(const PackedFiles& packed, const fs::path& folder) {
  std::vector<std::string> names, ordered;
  for (const auto& [name, text] : packed)
    if (name.starts_with("runs/")) names.push_back(name);
  if (const auto machines = packed.find("machines.json"); machines != packed.end())
    if (const Json json = parse_shallow(machines->second).value_or(nullptr); json.is_object())
      for (const auto& [name, facts] : json.items())
        if (std::ranges::find(names, name) != names.end()) ordered.push_back(name);
  if (ordered.size() != names.size()) ordered = names;
  for (auto& name : ordered) name = (folder / name).string();
  return ordered;
}

/// What an artefact calls itself in its metadata.
std::string name_in(const PackedFiles& packed, const std::string& otherwise) {
  const auto crate = packed.find(crate_file);
  const Json json = crate == packed.end() ? Json() : parse_shallow(crate->second).value_or(nullptr);
  for (const auto& entity : value_in(json, "@graph"))
    if (text_in(entity, "@id") == "./")
      if (std::string name = text_in(entity, "name"); !name.empty()) return name;
  return otherwise;
}

}  // namespace

PackedFiles made_again(const PackedFiles& packed, const fs::path& folder, const std::string& name) {
  PackedFiles again = derived_from(folder);
  const PackedRuns runs = packed_runs(runs_in(packed, folder));
  if (runs.empty()) throw UsageError("the artefact holds no run: expected files in runs/");
  again.merge(facts_of(runs));
  const std::string its_name = name_in(packed, name);
  // Sizes are in the pages and in the metadata: those of what is packed.
  PackedFiles without = packed;
  for (const char* written_last : {checksums_file, crate_file}) without.erase(written_last);
  const std::string crate = crate_of(its_name, runs, without);
  for (const char* page : author_pages) without.erase(page);
  for (const auto& [file, text] : again)  // what pages read of them is not taken from the artefact
    if (file.ends_with(".verdicts.json")) without[file] = text;
  again.merge(pages_of(its_name, runs, without));
  again[crate_file] = crate;
  return again;
}

PackedFiles artefact_of(const ArtefactOptions& options) {
  const PackedRuns runs = packed_runs(options.runs);
  PackedFiles files = facts_of(runs);
  files["LICENSE"] = license_text();
  for (const auto& each : runs) files[each->file()] = each->text;
  if (const Json figures = figures_for(runs, options.figures); !figures.is_null())
    files["figures/figures.json"] = json_text(figures);
  for (const auto& paper : options.claims) {
    read_claims(paper);  // it is one, or a line says why not
    files["claims/" + find_claims(paper).stem().string() + ".json"] = read_whole(find_claims(paper));
  }
  const TemporaryFolder folder("pack");
  unpack(files, folder.path());
  files.merge(derived_from(folder.path()));
  PackedFiles pages = pages_of(options.name, runs, files);
  if (!options.pages.empty()) take_pages(options.pages, pages);
  files.merge(pages);
  files[crate_file] = crate_of(options.name, runs, files);
  files[checksums_file] = checksums_of(files);
  return files;
}

void unpack(const PackedFiles& files, const fs::path& folder) {
  for (const auto& [name, contents] : files) {
    const fs::path path = folder / name;
    std::error_code failed;
    fs::create_directories(path.parent_path(), failed);
    std::ofstream out(path, std::ios::binary);
    out << contents;
    out.close();
    if (failed || !out)
      throw Error(fmt::format("{} cannot be written; make room, or name another folder", path.string()));
  }
}

}  // namespace uotbench
