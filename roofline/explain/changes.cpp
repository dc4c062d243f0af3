#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/units.hpp"
#include "roofline/explain/explanation.hpp"

namespace uotbench {
namespace {

struct PartChange {
  std::string name;
  double before = 0, after = 0;
  std::string from_before, from_after;
  double by() const { return after - before; }
};

constexpr const char* not_explained = "not explained";

void take_parts(std::vector<PartChange>& changes, const Explanation& it, bool after) {
  const auto add = [&](const std::string& name, double seconds, const std::string& from) {
    auto found = std::ranges::find(changes, name, &PartChange::name);
    if (found == changes.end())
      found = changes.insert(found, {.name = name, .from_before = {}, .from_after = {}});
    (after ? found->after : found->before) = seconds;
    (after ? found->from_after : found->from_before) = from;
  };
  for (const auto& part : it.parts.all) add(part.name, part.seconds, part.from);
  add(not_explained, it.measured - it.together, "");
}

bool are_known(const Explanation& a, const Explanation& b) { return a.together > 0 && b.together > 0; }

/// Of two whose parts are known.
PartChange most_changed(const Explanation& a, const Explanation& b) {
  std::vector<PartChange> changes;
  take_parts(changes, a, false);
  take_parts(changes, b, true);
  return *std::ranges::max_element(changes, {},
                                   [](const PartChange& change) { return std::abs(change.by()); });
}

std::string text_of(const PartChange& most) {
  std::string text =
      fmt::format("{}: {} -> {}", most.name, format_seconds(most.before), format_seconds(most.after));
  if (!most.from_after.empty() && most.from_after != most.from_before)
    text += fmt::format(" ({} -> {})", most.from_before.empty() ? "none" : most.from_before, most.from_after);
  return text;
}

}  // namespace

std::string changed_part(const Explanation& a, const Explanation& b) {
  if (!are_known(a, b)) return "";
  const PartChange most = most_changed(a, b);
  return most.name == not_explained ? "" : text_of(most);
}

std::vector<Change> changes_of(const std::vector<Explanation>& a, const std::vector<Explanation>& b) {
  std::vector<Change> changes;
  for (const auto& one : a)
    for (const auto& other : b)
      if (one.member->record->id == other.member->record->id)
        changes.push_back({.id = one.member->record->id,
                           .before = one.measured,
                           .after = other.measured,
                           .part = are_known(one, other) ? text_of(most_changed(one, other)) : ""});
  return changes;
}

Table table_of(const std::vector<Change>& changes) {
  Table table{.title = "What changed",
              .about = "Of the parts of each time (uotbench explain) the one that changed most.",
              .columns = {{"case"}, {"A", Table::Holds::numbers}, {"B", Table::Holds::numbers}, {"part"}}};
  for (const auto& one : changes)
    table.row({one.id, format_seconds(one.before), format_seconds(one.after),
               one.part.empty() ? "the parts of one of them are not known" : one.part});
  return table;
}

}  // namespace uotbench
