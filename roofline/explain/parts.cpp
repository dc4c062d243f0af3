#include "roofline/explain/parts.hpp"

#include <algorithm>

namespace uotbench {

const char* name_of(Evidence evidence) {
  switch (evidence) {
    case Evidence::measured:
      return "measured";
    case Evidence::counted:
      return "counted";
    case Evidence::ceiling:
      return "ceiling";
    case Evidence::modelled:
      return "modelled";
  }
  return "?";
}

double TimeParts::sum(std::initializer_list<TimePart::Kind> kinds) const {
  double seconds = 0;
  for (const auto& part : all)
    if (std::ranges::find(kinds, part.kind) != kinds.end()) seconds += part.seconds;
  return seconds;
}

double TimeParts::together() const {
  using enum TimePart::Kind;
  return std::max(sum({core}), sum({memory, transfer})) + sum({waiting});
}

std::vector<const TimePart*> TimeParts::added() const {
  using enum TimePart::Kind;
  const bool in_core = sum({core}) >= sum({memory, transfer});
  std::vector<const TimePart*> parts;
  for (const auto& part : all)
    if (part.kind == waiting || (part.kind == core) == in_core) parts.push_back(&part);
  return parts;
}

const TimePart* TimeParts::bounding() const {
  const TimePart* longest = nullptr;
  for (const auto* part : added())
    if (!longest || part->seconds > longest->seconds) longest = part;
  return longest;
}

TimeParts TimeParts::without(const TimePart& part) const {
  TimeParts rest = *this;
  for (auto& one : rest.all)
    if (one.name == part.name) one.seconds = 0;
  return rest;
}

TimeParts TimeParts::at_slower_clock(double times) const {
  TimeParts slower = *this;
  for (auto& part : slower.all)
    if (!part.bound.ends_with("DRAM")) part.seconds *= times;
  return slower;
}

}  // namespace uotbench
