// What an artefact computes from its runs: made when it is packed, and made again when it is verified.
#pragma once

#include <filesystem>

#include "tools/uotbench/packing/zip.hpp"

namespace uotbench {

/// From the runs, figures/figures.json and claims/ in `folder`, and from nothing else: of each figure the
/// picture, its data (.csv) and gnuplot's script (.gp); of each paper the verdicts. Throws UsageError.
PackedFiles derived_from(const std::filesystem::path& folder);

}  // namespace uotbench
