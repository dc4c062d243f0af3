#include "roofline/explain/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "results/base/units.hpp"
#include "results/record/counters.hpp"
#include "results/view/metrics.hpp"
#include "roofline/explain/hot_code.hpp"

namespace uotbench {
namespace {
constexpr const char* past_caches_bound = "memory bandwidth of stores past the caches";
}

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
    if (!part.bound.ends_with("DRAM") && part.bound != past_caches_bound) part.seconds *= times;
  return slower;
}

namespace {

/// Misses of a level are lines that come into it, with those that continue no stream.
struct MissNames {
  const char *level, *misses, *scattered;
};
constexpr MissNames miss_names[]{{"L1", counter_names::l1_misses, counter_names::l1_scattered},
                                 {"L2", counter_names::l2_misses, counter_names::l2_scattered},
                                 {"L3", counter_names::l3_misses, counter_names::l3_scattered}};

const MissNames* names_for(const std::string& level) {
  const auto found = std::ranges::find(miss_names, level, &MissNames::level);
  return found == std::end(miss_names) ? nullptr : found;
}

std::optional<Counter> misses_of(const Record& counts, const std::string& level) {
  const MissNames* const names = names_for(level);
  auto counter = names ? counter_of(counts, names->misses) : std::nullopt;
  return counter && counter->value ? counter : std::nullopt;
}

/// Lines that the work fetches.
double modelled_lines(const Work& work) { return (work.bytes_read + work.write_allocate) / line_bytes; }

/// Fetched lines over the model's, both with those written back.
double ratio_of(double lines, const Work& work) {
  const double modelled = modelled_lines(work);
  // Stores past the caches fetch nothing, and of a read-only case what is written is nothing.
  if (lines <= modelled) return lines / modelled;
  const double written = work.bytes_written / line_bytes;
  return (lines + written) / (modelled + written);
}

/// The level whose misses come from `outer`. Where no ceiling is known of the levels between the two, `inner`
/// also misses lines that those levels have: the outermost of them that was counted says how many come from
/// `outer`.
std::string filled_from(const std::string& outer, const std::string& inner, const Record& counts) {
  static const std::vector<std::string> order{"L1", "L2", "L3", "DRAM"};
  const auto begin = std::ranges::find(order, inner), end = std::ranges::find(order, outer);
  if (end == order.end() || begin >= end) return inner;
  for (auto level = std::prev(end); level != begin; --level)
    if (misses_of(counts, *level)) return *level;
  return inner;
}

/// Levels from L1 out to where the data are; the last has the name of what it is, "at 5.0 MiB" between two.
struct Level {
  std::string name;
  Footprint from;
};

std::vector<Level> levels_to(const Roofs& roofs, const Footprint& from) {
  const std::string last = roofs.level_name(from);
  const std::string& outermost = last.empty() ? from.level : last;
  std::vector<Level> levels;
  for (auto& place : roofs.inside(outermost)) levels.push_back({place.level, std::move(place)});
  levels.push_back({outermost, from});
  return levels;
}

/// What stores past the caches, and as much of what is read.
Work work_past_caches(const Work& work) {
  const double written = std::min(work.bytes_nontemporal, work.bytes_written);
  return {.bytes_read = std::min(work.bytes_read, written),
          .bytes_written = written,
          .bytes_nontemporal = written};
}

std::string moved_text(const Work& work, std::optional<double> ratio, const std::string& source) {
  const std::string moved = format_bytes(work.bytes() * ratio.value_or(1));
  return ratio ? fmt::format("{}: {}x the model's lines ({})", moved, format_fixed(*ratio, 2), source)
               : fmt::format("{} (work model)", moved);
}

/// Lines that come into a level, over the work model's.
struct CountedRatios {
  std::optional<double> in_order = {};  ///< absent: not counted
  double scattered = 0;
  std::string source = {};
};

CountedRatios ratios_of(const Record* counts, const std::string& level, const Work& work,
                        bool strides_known) {
  const auto misses = counts ? misses_of(*counts, level) : std::nullopt;
  if (!misses || !(modelled_lines(work) > 0)) return {};
  const double scattered = strides_known ? scattered_lines(*counts, level).value_or(0) : 0;
  return {.in_order = ratio_of(*misses->value - scattered, work),
          .scattered = scattered / modelled_lines(work),
          .source = text_of(misses->origin)};
}

/// Between a level and the one inside it.
class Step {
 public:
  /// `inner`: empty where none inside has ceilings, so that lines come from here to the core.
  Step(const Roofs& roofs, const Level& level, const std::string& inner, const Work& work)
      : name_(level.name), inner_(inner), work_(work), roof_(roofs.limits(work, level.from).front()) {}

  TimePart in_order(double floor, double inside, const CountedRatios& ratios) const {
    return part("", fmt::format("memory bandwidth at {}", name_), floor, inside, ratios.in_order,
                ratios.source, fmt::format("{} at {}", roof_.kernel, format_bandwidth(roof_.value)));
  }
  TimePart scattered(double floor, double inside, const CountedRatios& ratios) const {
    return part(", scattered", fmt::format("{} {}", scattered_lines_from, name_), floor, inside,
                ratios.scattered, ratios.source, "each line on its own as in ceiling/strided_*");
  }

 private:
  TimePart part(const char* suffix, std::string bound, double floor, double inside,
                std::optional<double> ratio, const std::string& source, const std::string& rate) const {
    const std::string less =
        inner_.empty() ? "" : fmt::format(", less {} in {}", format_seconds(inside), inner_);
    return {.kind = TimePart::Kind::transfer,
            .name = fmt::format("{} to {}{}", name_, inner_.empty() ? "registers" : inner_, suffix),
            .bound = std::move(bound),
            .seconds = std::max(0., floor - inside) * ratio.value_or(1),
            .evidence = ratio ? Evidence::counted : Evidence::modelled,
            .from = fmt::format("{}, {}{}; {}", name_, rate, less, moved_text(work_, ratio, source))};
  }

  std::string name_, inner_;
  Work work_;
  Roof roof_;
};

/// What stores past the caches, and what is read next to it: both by the ceiling that reads what it stored
/// before, where that was measured.
std::optional<TimePart> part_past_caches(const Work& past, const Roofs& roofs, const Footprint& from) {
  const auto floor = roofs.memory_floor(past, from);
  if (!floor || *floor <= 0) return std::nullopt;
  Roof roof = roofs.limits(past, from).front();
  double seconds = *floor;
  if (const auto back = roofs.at(from, copy_back); back && past.bytes_read > 0) {
    const Work only_written{.bytes_written = past.bytes_written - past.bytes_read,
                            .bytes_nontemporal = past.bytes_written - past.bytes_read};
    seconds = 2 * past.bytes_read / back->value + roofs.memory_floor(only_written, from).value_or(0);
    roof = *back;
  }
  return TimePart{.kind = TimePart::Kind::transfer,
                  .name = "past caches",
                  .bound = past_caches_bound,
                  .seconds = seconds,
                  .evidence = Evidence::modelled,
                  .from = fmt::format("{} at {}; {}", roof.kernel, format_bandwidth(roof.value),
                                      moved_text(past, std::nullopt, ""))};
}

}  // namespace

std::optional<double> scattered_lines(const Record& counts, const std::string& level) {
  const auto misses = misses_of(counts, level);
  const auto scattered = misses ? counter_of(counts, names_for(level)->scattered) : std::nullopt;
  if (!scattered || scattered->origin.source != misses->origin.source) return std::nullopt;
  constexpr double few = 0.1;  // streams begin, too
  const double lines = scattered->value.value_or(0);
  if (lines <= 0 || lines < few * *misses->value) return std::nullopt;
  return std::min(lines, *misses->value);
}

bool reads_back(const Work& work) { return work_past_caches(work).bytes_read > 0; }

std::optional<double> counted_lines_ratio(const Record& counts, const std::string& level, const Work& work) {
  const auto misses = misses_of(counts, level);
  if (!misses || !(modelled_lines(work) > 0)) return std::nullopt;
  return ratio_of(*misses->value, work);
}

std::vector<TimePart> transfers_of(const Record& record, const Roofs& roofs, const Footprint& from,
                                   const Record* counts, bool with_l1) {
  std::vector<TimePart> parts;
  const Work& work = *record.work;
  if (work.bytes() <= 0 || !roofs.memory_floor(work, from)) return parts;
  const Work past = work_past_caches(work), cached = work - past;
  double inside = 0, strided_inside = 0;  // seconds with the data in the level inside
  std::string inner;                      // its name
  for (const auto& level : levels_to(roofs, from)) {
    const auto floor = roofs.memory_floor(cached, level.from);
    if (!floor || cached.bytes() <= 0 || roofs.limits(cached, level.from).empty()) continue;
    // Loads from L2 are near enough for a core to overlap them, in whatever order.
    const auto strided = level.name == "L2" ? std::nullopt : roofs.strided_floor(cached, level.from);
    const Step step(roofs, level, inner, cached);
    if (level.name != "L1") {
      const std::string into = counts ? filled_from(level.name, inner.empty() ? "L1" : inner, *counts) : "";
      const CountedRatios ratios = ratios_of(counts, into, work, strided.has_value());
      parts.push_back(step.in_order(*floor, inside, ratios));
      if (ratios.scattered > 0) parts.push_back(step.scattered(*strided, strided_inside, ratios));
    } else if (with_l1) {
      TimePart loads = step.in_order(*floor, 0, {});
      loads.kind = TimePart::Kind::memory;
      loads.name = "loads and stores";
      parts.push_back(std::move(loads));
    }
    inside = *floor;
    strided_inside = strided.value_or(*floor);
    inner = level.name;
  }
  if (auto part = part_past_caches(past, roofs, from)) parts.push_back(std::move(*part));
  return parts;
}

}  // namespace uotbench
