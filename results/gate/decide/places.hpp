// Where a counter's value came from, in two builds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/gate/bisect.hpp"
#include "results/record/counter.hpp"

namespace uotbench {

/// What a build calls a place, and what stays the same of it in another build: of a line its text, since
/// lines above it move it.
struct PlaceName {
  std::string key, shown, text = {};
};
using NamePlace = std::function<PlaceName(const std::string& at)>;

/// Places that count more or less in `after`, the largest difference first; those that differ by less than a
/// thousandth of all are none.
std::vector<PlaceChange> compare_places(const Counter& before, const NamePlace& name_before,
                                        const Counter& after, const NamePlace& name_after);

}  // namespace uotbench
