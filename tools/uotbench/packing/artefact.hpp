// An artefact to hand in: runs, and all that belongs to them, in one ZIP file that checks itself.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/run_file/run_file.hpp"
#include "tools/uotbench/packing/zip.hpp"

namespace uotbench {

// The runs of an artefact, and the figures drawn of them.

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

// The pages of an artefact, and its description for programs (RO-Crate).

// The pages of an artefact, from templates/artefact: what is known is filled in, TODO(author) stands where
// only the author knows.

/// What stands where only the author knows.
inline constexpr const char* open_place = "TODO(author)";

/// `text` with each {{word}} replaced. Throws Error for a word that `words` lacks.
std::string filled(const std::string& text, const std::map<std::string, std::string>& words);

/// README.md, appendix.md (SC's form of description and evaluation) and checklist.md (ACM's and cTuning's)
/// for an artefact of these runs with these files. `name`: the artefact's file.
PackedFiles pages_of(const std::string& name, const PackedRuns& runs, const PackedFiles& files);

// RO-Crate 1.1 metadata (w3id.org/ro/crate/1.1): what the artefact is and what made each of its files, for
// machines.

inline constexpr const char* crate_file = "ro-crate-metadata.json";

/// The text of ro-crate-metadata.json, for these files. `name`: the artefact's.
std::string crate_of(const std::string& name, const PackedRuns& runs, const PackedFiles& files);

// The files of an artefact, and those that are derived from its runs.

// What an artefact computes from its runs: made when it is packed, and made again when it is verified.

/// From the runs, figures/figures.json and claims/ in `folder`, and from nothing else: of each figure the
/// picture, its data (.csv) and gnuplot's script (.gp); of each paper the verdicts. Throws UsageError.
PackedFiles derived_from(const std::filesystem::path& folder);

// An artefact to hand in: runs, and all that belongs to them, in one ZIP file that checks itself.

inline constexpr const char* checksums_file = "checksums.sha256";

struct ArtefactOptions {
  std::string name;                      ///< of the file, without its ending
  std::vector<std::string> runs = {};    ///< files or sweeps' names
  std::vector<std::string> claims = {};  ///< papers: names or files
  std::string figures = {};              ///< a file that describes them; empty: all kinds that can be drawn
  std::string pages = {};  ///< a folder whose README.md, appendix.md and checklist.md are taken as they are
};

/// All files of it. Equal runs, options and programs give equal bytes. Throws UsageError.
PackedFiles artefact_of(const ArtefactOptions& options);

/// An artefact's own pages, which its author writes on.
inline constexpr const char* author_pages[]{"README.md", "appendix.md", "checklist.md"};

/// All files that follow from an artefact's runs, its figures/figures.json and its claims, made again:
/// figures, verdicts, sweeps, machines.json, versions.json, pages and metadata. `folder`: the same files,
/// unpacked; `name`: of the ZIP file, where the artefact does not say its own. Throws UsageError.
PackedFiles made_again(const PackedFiles& packed, const std::filesystem::path& folder,
                       const std::string& name);

/// SHA-256 (FIPS 180-4): 64 digits, 0-9 and a-f.
std::string sha256(std::string_view bytes);
/// A line a file, as sha256sum(1) writes and checks it.
std::string checksums_of(const PackedFiles& files);
/// What does not agree with the artefact's own checksums, a line each: changed, missing, or not told of.
std::vector<std::string> wrong_checksums(const PackedFiles& files);

/// Writes them below a folder that is there or can be made. Throws Error.
void unpack(const PackedFiles& files, const std::filesystem::path& folder);

}  // namespace uotbench
