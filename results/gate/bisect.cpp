#include "results/gate/bisect.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace uotbench {

const char* name_of(BisectStep::Answer answer) {
  switch (answer) {
    case BisectStep::Answer::fast:
      return "fast";
    case BisectStep::Answer::slow:
      return "slow";
    case BisectStep::Answer::skipped:
      break;
  }
  return "skipped";
}

const char* name_of(BisectReport::Finding finding) {
  using enum BisectReport::Finding;
  switch (finding) {
    case culprit:
      return "culprit";
    case several:
      return "several";
    case spread:
      return "spread";
    case nothing:
      return "nothing";
    case failed:
      return "failed";
    case interrupted:
      return "interrupted";
    case undecided:
      break;
  }
  return "undecided";
}

std::vector<PlaceChange> compare_places(const Counter& before, const NamePlace& name_before,
                                        const Counter& after, const NamePlace& name_after) {
  constexpr double negligible = 1e-3;
  std::map<std::string, PlaceChange> places;
  for (const auto& line : before.lines) {
    const PlaceName name = name_before(line.at);
    PlaceChange& place = places[name.key];
    place.at = name.shown, place.text = name.text;
    place.before += line.value;
  }
  for (const auto& line : after.lines) {
    const PlaceName name = name_after(line.at);
    PlaceChange& place = places[name.key];
    place.at = name.shown, place.text = name.text;
    place.after += line.value;
  }
  const double all = std::max(before.value.value_or(0), after.value.value_or(0));
  std::vector<PlaceChange> changes;
  for (const auto& [key, place] : places)
    if (std::abs(place.after - place.before) > negligible * all) changes.push_back(place);
  std::ranges::stable_sort(changes, std::ranges::greater(),
                           [](const PlaceChange& one) { return std::abs(one.after - one.before); });
  return changes;
}

}  // namespace uotbench
