// The runs of an artefact, and the figures drawn of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/record/run_file/run_file.hpp"

namespace uotbench {

// The runs of an artefact, and what their first lines tell of where they were measured.

struct PackedRun {
  std::string stem;  ///< the artefact has runs/STEM.jsonl and sweeps/STEM.json
  std::string text;  ///< of the file
  Run run;

  std::string file() const { return "runs/" + stem + ".jsonl"; }
  std::string sweep_file() const { return "sweeps/" + stem + ".json"; }
  std::string sweep_name() const;
};
/// Where they are does not change: views point into them.
using PackedRuns = std::vector<std::unique_ptr<PackedRun>>;

/// Run files or sweeps' names. A file keeps its name, but for what is no letter, digit or one of ._-, and a
/// number where two would have the same. Throws UsageError where a run is none, or not finished.
PackedRuns packed_runs(const std::vector<std::string>& names);

/// Minutes that it took from its first line to its last; absent where it was resumed, whose pauses nobody
/// noted.
std::optional<double> minutes_of(const Run& run);
/// 2026-11-23, when it was started.
std::string day_of(const Run& run);

/// Each machine once, as a line: CPU, cores, caches, memory, system.
std::vector<std::string> machines_in(const PackedRuns& runs);
/// Each build of a worker once, with compiler, flags and commit; packages that workers told.
std::vector<std::string> software_in(const PackedRuns& runs);
/// The same whole, as first lines have it.
Json machines_json(const PackedRuns& runs);
Json versions_json(const PackedRuns& runs);

// Which figures an artefact has.

/// What figures/figures.json holds: every kind that can be drawn of each run; or, where `spec` names a file
/// that describes figures, these, of the packed runs, as SVG. Null: there is nothing to draw. Throws
/// UsageError where that file needs a run that is not packed, or a machine.
Json figures_for(const PackedRuns& runs, const std::string& spec);

}  // namespace uotbench
