// Lints of evidence: what makes a table of times doubtful, from any tool.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/record/run_file/run_file.hpp"

namespace uotbench {

/// A row of a table of times; what is not given is absent.
struct EvidenceRow {
  std::string name;                              ///< "MAP-UOT", "uot/map_uot@native-v4"
  std::string problem;                           ///< rows of one problem are compared
  std::string hardware;                          ///< empty: not given
  std::optional<double> time = {}, spread = {};  ///< seconds; the standard deviation, seconds
  std::optional<double> iterations = {}, objective = {};
  std::optional<double> limit = {};  ///< seconds that its own work takes at least
  bool baseline = false;             ///< speedups are over it
  std::string handicap = {};         ///< why a library ran below its best; empty: not reported
};

/// Of a CSV (RFC 4180) with a line of titles: name (or method), time, and as far as there are, problem, std,
/// iterations, objective, hardware, limit, baseline (1 or yes). A byte order mark and blank lines are
/// skipped. Throws UsageError "NAME: …", also where there is no row, a time or a limit is not above 0, or a
/// number is not finite.
std::vector<EvidenceRow> evidence_from_csv(const std::string& text, const std::string& name);

/// Of the timed cases of a run; rows of the variant that speedups are over are baselines. Limits are left to
/// those who know ceilings.
std::vector<EvidenceRow> evidence_of(const Run& run);

/// Lines, one each: unequal iterations or objectives, a relative spread that is the same in all rows,
/// hardware that differs between rows of one problem, a baseline three times over its own limit, a library
/// that ran below its best.
std::vector<std::string> doubts_of(const std::vector<EvidenceRow>& rows);

}  // namespace uotbench
