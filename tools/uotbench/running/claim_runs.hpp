// The runs that claims are measured in: found, or made.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "results/claims/claims.hpp"

namespace uotbench {

/// Reads configs/claims/NAME.json, or a file. Throws UsageError with JSON pointers, what was found and what
/// is accepted.
ClaimFile read_claims(const std::string& name);

/// Why this machine cannot measure it, whatever is installed; empty: it may be able to.
std::string missing_for(const PrintedClaim& claim);

/// Whether it needs a GPU and this machine has none. A run of another machine may still show it.
bool lacks_gpu(const PrintedClaim& claim);

struct ClaimRuns {
  std::map<std::string, std::unique_ptr<Run>> by_sweep = {};  ///< by its name in the claim file
  std::vector<std::string> missing = {};                      ///< sweeps that have no whole run yet
  double minutes = 0;                                         ///< that they take, about
  bool interrupted = false;
};

/// Of the sweeps that these claims need. `full`: as the paper ran them. `measure`: what is missing is run,
/// and what was begun goes on.
ClaimRuns runs_for(const ClaimFile& file, const std::vector<const PrintedClaim*>& claims, bool full,
                   bool measure);

}  // namespace uotbench
