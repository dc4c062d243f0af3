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
  const auto look = [&](const auto& self, const Json& value, const std::string& place) -> void {
    if (!place.empty()) places.insert(place);
    std::size_t index = 0;
    if (value.is_array())
      for (const Json& inner : value) self(self, inner, place + '/' + std::to_string(index++));
    for (const auto& [key, inner] : value.is_object() ? value.items() : Json::Object()) {
      std::string its = place;
      append_to(its, key);
      self(self, inner, its);
    }
  };
  look(look, json, "");
  return places;
}

/// `json` with the value at one place replaced by each of the list `others`, and without it.
inline std::vector<Json> mutants_of(const Json& json, const Json& others) {
  std::vector<Json> all;
  for (const auto& place : places_in(json)) {
    for (const auto& other : others) {
      all.push_back(json);
      *find_at(all.back(), place) = other;
    }
    Json& holder = *find_at(all.emplace_back(json), std::string_view(place).substr(0, place.rfind('/')));
    for (auto member = holder.begin(); holder.is_object() && member != holder.end(); ++member)
      if (&*member == find_at(all.back(), place)) {
        holder.erase(member);
        break;
      }
  }
  return all;
}

}  // namespace uotbench
