#include "tools/uotbench/packing/derived.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/host/process/temporary_folder.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/visible.hpp"
#include "results/base/whole_file.hpp"
#include "results/claims/table.hpp"
#include "results/export/tables.hpp"
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
    all[name + ".verdicts.json"] =
        claims_json(file, results).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
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

}  // namespace uotbench
