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
  const double alone = sum({waiting}) + (core_overlaps ? 0 : sum({transfer}));
  return std::max(sum({core}), core_overlaps ? sum({memory, transfer}) : sum({memory})) + alone;
}

const TimePart* TimeParts::bounding() const {
  using enum TimePart::Kind;
  const bool in_core = sum({core}) >= (core_overlaps ? sum({memory, transfer}) : sum({memory}));
  const TimePart* longest = nullptr;
  for (const auto& part : all) {
    const bool alone = part.kind == waiting || (part.kind == transfer && !core_overlaps);
    const bool counts = alone || (part.kind == core) == in_core;
    if (counts && (!longest || part.seconds > longest->seconds)) longest = &part;
  }
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
