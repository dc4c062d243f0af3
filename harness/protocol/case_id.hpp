// The text that names a case: its variant, its point, its worker.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/protocol/axis.hpp"
#include "results/base/json_fwd.hpp"

namespace uotbench {

/// uot/map_uot/M:4096/N:4096/threads:2@native-v4: the variant, sizes always, then every axis that differs
/// from its default alphabetically, values percent-encoded outside [A-Za-z0-9_.+-], then the worker.
/// `axes` are in declaration order; `point` holds effective values and `derived` what the family derived.
std::string case_id(std::string_view variant, const std::vector<Axis>& axes, const Json& point,
                    const Json& derived, std::string_view worker);

/// What an id names, before the axes are known: values are texts.
struct CaseName {
  std::string variant;
  std::vector<std::pair<std::string, std::string>> axes;  ///< in the order of the id
  std::string worker;
};

/// The inverse of `case_id`. Throws Error naming what is wrong.
CaseName parse_case_id(std::string_view id);

}  // namespace uotbench
