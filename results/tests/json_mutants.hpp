// JSON that differs from a sound one at one place, for readers that have to name that place.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "results/base/json.hpp"

namespace uotbench {

/// JSON pointers of every place in a value but the value itself.
inline std::set<std::string> places_in(const Json& json) {
  std::set<std::string> places;
  const Json flat = json.flatten();
  for (const auto& [leaf, value] : flat.items())
    for (Json::json_pointer at(leaf); !at.empty(); at = at.parent_pointer()) places.insert(at.to_string());
  return places;
}

/// `json` with the value at one place replaced by each of the list `others`, and without it.
inline std::vector<Json> mutants_of(const Json& json, const Json& others) {
  std::vector<Json> all;
  for (const auto& place : places_in(json)) {
    const Json::json_pointer at(place);
    for (const auto& other : others) {
      all.push_back(json);
      all.back()[at] = other;
    }
    if (Json& holder = all.emplace_back(json)[at.parent_pointer()]; holder.is_object())
      holder.erase(at.back());
  }
  return all;
}

}  // namespace uotbench
