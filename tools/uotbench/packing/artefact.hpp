// The files of an artefact, and those that are derived from its runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/uotbench/packing/zip.hpp"

namespace uotbench {

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

/// A line a file, as sha256sum(1) writes and checks it.
std::string checksums_of(const PackedFiles& files);
/// What does not agree with the artefact's own checksums, a line each: changed, missing, or not told of.
std::vector<std::string> wrong_checksums(const PackedFiles& files);

/// Writes them below a folder that is there or can be made. Throws Error.
void unpack(const PackedFiles& files, const std::filesystem::path& folder);

}  // namespace uotbench
