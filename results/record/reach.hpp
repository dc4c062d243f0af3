// How soon a solve reaches a target: of a number that the judge finds of its states, such as the primal-dual
// gap.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"

namespace uotbench {

struct Reach {
  std::string of;                    ///< what the judge calls the number: gap
  double target = 0;                 ///< at most this much of it
  std::string reason = {};           ///< one line: why it is not known; empty: all below is set
  std::int64_t iterations = 0;       ///< the fewest after which the solve is there
  double found = 0;                  ///< what the judge found after them
  std::vector<double> samples = {};  ///< seconds of whole solves that stopped after them, what they begin and
                                     ///< end with included
};

/// The median of its samples. Throws Error where there is none.
double seconds_of(const Reach& reach);

/// That of this name and target; null: it was not asked for.
const Reach* reach_of(const std::vector<Reach>& all, const std::string& of, double target);

/// "gap 1e-4".
std::string name_of(const Reach& reach);

Json to_json(const std::vector<Reach>& all);
/// Unknown keys are ignored. Throws Json::exception where one is missing or of the wrong type, Error where
/// there is neither a reason nor all else.
std::vector<Reach> reach_from(const Json& json);

}  // namespace uotbench
