#include "roofline/explain/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "results/base/units.hpp"
#include "results/record/counters.hpp"
#include "results/view/metrics.hpp"

namespace uotbench {
namespace {

/// Misses of a level are lines that come into it.
std::optional<Counter> misses_of(const Record& counts, const std::string& level) {
  const char* const name = level == "L1"   ? counter_names::l1_misses
                           : level == "L2" ? counter_names::l2_misses
                           : level == "L3" ? counter_names::l3_misses
                                           : nullptr;
  if (!name) return std::nullopt;
  auto counter = counter_of(counts, name);
  return counter && counter->value ? counter : std::nullopt;
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

/// What stores past the caches, and what is read next to it as by ceiling/copy_nt.
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

}  // namespace

std::optional<double> counted_lines_ratio(const Record& counts, const std::string& level, const Work& work) {
  const auto misses = misses_of(counts, level);
  const double modelled = (work.bytes_read + work.write_allocate) / line_bytes;
  // Stores past the caches fetch nothing, and of a read-only case what is written is nothing.
  if (!misses || !(modelled > 0)) return std::nullopt;
  if (*misses->value <= modelled) return *misses->value / modelled;
  const double written = work.bytes_written / line_bytes;
  return (*misses->value + written) / (modelled + written);
}

std::vector<TimePart> transfers_of(const Record& record, const Roofs& roofs, const Footprint& from,
                                   const Record* counts, bool with_l1) {
  std::vector<TimePart> parts;
  const Work& work = *record.work;
  if (work.bytes() <= 0 || !roofs.memory_floor(work, from)) return parts;
  const Work past = work_past_caches(work), cached = work - past;
  double inside = 0;  // seconds with the data in the level inside
  std::string inner;  // its name
  for (const auto& [name, place] : levels_to(roofs, from)) {
    const auto limits = roofs.limits(cached, place);
    const auto floor = roofs.memory_floor(cached, place);
    if (!floor || limits.empty() || cached.bytes() <= 0) continue;
    const Roof& roof = limits.front();
    const std::string rate = fmt::format("{}, {} at {}", name, roof.kernel, format_bandwidth(roof.value));
    const bool innermost = inner.empty();
    if (!innermost) {
      const std::string into = counts ? filled_from(name, inner, *counts) : inner;
      const auto ratio = counts ? counted_lines_ratio(*counts, into, work) : std::nullopt;
      const auto misses = counts ? misses_of(*counts, into) : std::nullopt;
      parts.push_back(
          {.kind = TimePart::Kind::transfer,
           .name = fmt::format("{} to {}", name, inner),
           .bound = fmt::format("memory bandwidth at {}", name),
           .seconds = std::max(0., *floor - inside) * ratio.value_or(1),
           .evidence = ratio ? Evidence::counted : Evidence::modelled,
           .from = fmt::format("{}, less {} in {}; {}", rate, format_seconds(inside), inner,
                               moved_text(cached, ratio, misses ? text_of(misses->origin) : ""))});
    } else if (with_l1 || name != "L1") {
      parts.push_back({.kind = TimePart::Kind::memory,
                       .name = name == "L1" ? "loads and stores" : fmt::format("{} to registers", name),
                       .bound = fmt::format("memory bandwidth at {}", name),
                       .seconds = *floor,
                       .evidence = Evidence::modelled,
                       .from = fmt::format("{}; {}", rate, moved_text(cached, std::nullopt, ""))});
    }
    inside = *floor;
    inner = name;
  }
  if (const auto floor = roofs.memory_floor(past, from); floor && *floor > 0) {
    const Roof roof = roofs.limits(past, from).front();
    parts.push_back({.kind = TimePart::Kind::transfer,
                     .name = "past caches",
                     .bound = "memory bandwidth of stores past the caches",
                     .seconds = *floor,
                     .evidence = Evidence::modelled,
                     .from = fmt::format("{} at {}; {}", roof.kernel, format_bandwidth(roof.value),
                                         moved_text(past, std::nullopt, ""))});
  }
  return parts;
}

}  // namespace uotbench
