#include "roofline/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"

namespace uotbench {
namespace {

// What one run cannot tell from being at the roof: ceilings and cases were not measured in the same minute.
constexpr double doubtful = 1.02;

/// Why a case is above its roof, the likeliest first. `from_curve`: the roof is of its own working set.
std::string cause(const Record& record, const Footprint& from, double median, const Roofs& roofs,
                  const Caches& caches, bool from_curve) {
  const Work& work = *record.work;
  const Setting setting = setting_of(record);
  if (const auto least = roofs.least_memory_floor(work); least && median * doubtful < *least) {
    const auto inner = roofs.levels();
    return fmt::format("as the work model is wrong (not even {} moves that number of bytes in this time)",
                       inner.empty() ? "the fastest cache" : inner.front());
  }
  for (const auto& cache : caches.levels()) {
    if (!work.working_set || from_curve) break;  // caches were emptied, or there were no bytes
    const double bytes = caches.capacity(cache, setting.threads, setting.place);
    if (caches.outside(cache.name) != from.level && !(from.level == "DRAM" && *work.working_set <= bytes))
      continue;
    if (*work.working_set < streaming_caches * bytes)
      return fmt::format("as the working set ({}) stays in {} ({}) in part", format_bytes(*work.working_set),
                         cache.name, format_bytes(bytes));
  }
  return fmt::format("as the ceiling was measured too low ({}, {}; uotbench machine measures it again)",
                     from_curve ? format_bytes(*from.bytes) : from.level, text_of(setting));
}

/// The kernels of these roofs, each once; none of a specification.
std::string kernels_of(const std::vector<Roof>& limits) {
  std::string names;
  std::vector<std::string> known{"bandwidth"};
  for (const auto& roof : limits) {
    if (std::ranges::find(known, roof.kernel) != known.end()) continue;
    names += (names.empty() ? "" : "+") + roof.kernel;
    known.push_back(roof.kernel);
  }
  return names;
}

/// The place of the largest of these roofs: what its curve was read off at.
void tell_place(RoofView& view, const std::vector<Roof>& limits, const Footprint& from, const Roofs& roofs) {
  const Roof& first = limits.front();
  if (!first.is_point()) return;
  view.level = roofs.level_name(from);
  view.working_set = from.bytes;
  constexpr double vectors = 1.1;  // sets are whole vectors for every thread
  if (*first.working_set > vectors * *from.bytes || *first.working_set * vectors < *from.bytes)
    view.nearest = first.working_set;
}

}  // namespace

double attainable(double intensity, double bandwidth, double peak) {
  return std::min(intensity * bandwidth, peak);
}

double ridge(double bandwidth, double peak) { return peak / bandwidth; }

double flops_of(const Work& work, Counting counting) {
  return counting == Counting::paper ? work.flops * 3 / 2 : work.flops;
}

std::optional<double> intensity_of(const Work& work, Counting counting) {
  return work.bytes() > 0 ? std::optional(flops_of(work, counting) / work.bytes()) : std::nullopt;
}

Setting setting_of(const Record& record) {
  const Settings settings = settings_of(record.point);
  const Value dtype = record.point.value("dtype");
  return {.threads = settings.cpus(), .place = settings.place, .dtype = dtype.text() ? *dtype.text() : "f32"};
}

std::string text_of(const Setting& setting) {
  return fmt::format("{}, {} thread{}{}", setting.dtype, setting.threads, setting.threads == 1 ? "" : "s",
                     setting.place == "close" ? "" : ", " + setting.place);
}

std::string device_of(const RunHeader& header, const std::string& worker) {
  const WorkerBuild* const build = header.workers.find(worker);
  return build && build->has_device() ? "gpu" : "cpu";
}

Footprint footprint_of(const Record& record, const Ceilings& ceilings, const Caches& caches) {
  const Setting setting = setting_of(record);
  if (ceilings.source == "specification") return {.level = "DRAM"};
  if (settings_of(record.point).cold)
    return {.level = "DRAM", .bytes = ceiling_set(caches, "DRAM", setting.threads, setting.place)};
  if (!record.work || !record.work->working_set) return {.level = "DRAM"};
  const double bytes = *record.work->working_set;
  return {.level = caches.level_of(bytes, setting.threads, setting.place), .bytes = bytes};
}

std::string unmeasured(const Record& record, const Ceilings& ceilings, const Caches& caches) {
  return unmeasured(record, ceilings, caches, Roofs(ceilings, setting_of(record), caches));
}

std::string unmeasured(const Record& record, const Ceilings& ceilings, const Caches& caches,
                       const Roofs& roofs) {
  if (!record.work) return "";
  const Setting setting = setting_of(record);
  std::string names;
  const bool placed = record.work->working_set || settings_of(record.point).cold;
  if (const auto from = footprint_of(record, ceilings, caches);
      record.work->bytes() > 0 && placed && !roofs.at(from))
    names = from.bytes ? fmt::format("{} of data", format_bytes(*from.bytes)) : from.level;
  for (const auto& [name, count] : record.work->operations)
    if (!roofs.rate(name)) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "" : fmt::format("{} ({})", names, text_of(setting));
}

std::optional<RoofView> roof_of(const CaseView& member, const Ceilings& ceilings, const Caches& caches) {
  return roof_of(member, ceilings, caches, Roofs(ceilings, setting_of(*member.record), caches));
}

std::optional<RoofView> roof_of(const CaseView& member, const Ceilings& ceilings, const Caches& caches,
                                const Roofs& roofs) {
  const Record& record = *member.record;
  if (!member.time || member.time->median <= 0 || !record.work) return std::nullopt;
  if (!unmeasured(record, ceilings, caches, roofs).empty()) return std::nullopt;
  // Which cache it comes from nobody knows then.
  if (record.work->bytes() > 0 && !record.work->working_set && !settings_of(record.point).cold)
    return std::nullopt;
  const Footprint from = footprint_of(record, ceilings, caches);
  const double median = member.time->median;
  const double memory = roofs.memory_floor(*record.work, from).value_or(0);
  const double compute = roofs.compute_floor(*record.work).value_or(0);
  RoofView view{.level = from.level,
                .bound = compute > memory ? "compute" : "memory",
                .intensity = intensity_of(*record.work),
                .floor = std::max(memory, compute),
                .fraction = {},
                .cause = {}};
  const auto limits = roofs.limits(*record.work, from);
  if (!limits.empty()) tell_place(view, limits, from, roofs);
  view.kernel = view.bound == "memory" ? kernels_of(limits) : compute > 0 ? roofs.peak()->kernel : "";
  for (const auto& [name, count] : record.work->operations)
    if (const double seconds = count / roofs.rate(name)->value; seconds > view.floor) {
      view.floor = seconds;
      view.bound = view.kernel = name;
    }
  // Bytes without a bandwidth to hold them against are no floor of zero.
  if (view.floor <= 0 || (record.work->bytes() > 0 && memory <= 0)) return std::nullopt;
  view.fraction = view.floor / median;
  if (view.fraction > doubtful)
    view.cause = cause(record, from, median, roofs, caches, view.working_set.has_value());
  return view;
}

std::vector<Roof> limits_of(const CaseView& member, const Ceilings& ceilings, const Caches& caches) {
  if (!member.roof) return {};
  const Roofs roofs(ceilings, setting_of(*member.record), caches);
  const Roof* const peak = roofs.peak();
  if (member.roof->bound == "compute") return peak ? std::vector{*peak} : std::vector<Roof>();
  if (const Roof* const rate = roofs.rate(member.roof->bound)) return {*rate};
  return roofs.limits(*member.record->work, footprint_of(*member.record, ceilings, caches));
}

// Latency and effective bandwidth of element-wise operations and stencils.

namespace {

/// The best of the copies, bytes per second: what is read and written, write-allocate left out.
std::optional<Roof> copy_roof(const Roofs& roofs, const Footprint& from) {
  const auto plain = roofs.at(from, "copy"), streamed = roofs.at(from, "copy_nt");
  if (plain && streamed) return plain->value < streamed->value ? streamed : plain;
  if (plain || streamed) return plain ? plain : streamed;
  return roofs.at(from, "bandwidth");  // specified
}

/// Of the level inside; of `level` itself where there is none.
std::optional<Roof> inner_roof(const Roofs& roofs, const Footprint& from) {
  const auto levels = roofs.levels();
  const auto place = std::ranges::find(levels, from.level);
  return copy_roof(roofs, place == levels.begin() || place == levels.end() ? from : Footprint{*(place - 1)});
}

}  // namespace

std::optional<ElementPrediction> predicted(const CaseView& member, const Ceilings& ceilings,
                                           const Caches& caches) {
  return predicted(member, ceilings, caches, Roofs(ceilings, setting_of(*member.record), caches));
}

std::optional<ElementPrediction> predicted(const CaseView& member, const Ceilings& ceilings,
                                           const Caches& caches, const Roofs& roofs) {
  const Record& record = *member.record;
  if (!member.time || member.time->median <= 0 || !record.work || !record.work->element) return std::nullopt;
  const ElementWork& element = *record.work->element;
  const Setting setting = setting_of(record);
  const Footprint from = footprint_of(record, ceilings, caches);
  const auto low = copy_roof(roofs, from), high = inner_roof(roofs, from);
  const Roof* const peak = roofs.peak();
  const double moved = element.memory * element.elements * (setting.dtype == "f64" ? 8 : 4);
  if (!low || !high || !peak || moved <= 0) return std::nullopt;

  ElementPrediction it{.level = roofs.level_name(from),
                       .times = {.flops = element.flops * element.elements / peak->value,
                                 .memory = moved / low->value,
                                 .cached = moved * element.cached / element.memory / high->value},
                       .equation = element.cached > 0 ? 12 : 11,
                       .measured = moved / member.time->median};
  const auto& [flops, memory, cached] = it.times;
  it.least_latency = std::max({flops, memory, cached});
  it.most_latency = flops + memory + cached;
  it.least_bandwidth = moved / it.most_latency;
  it.most_bandwidth = moved / it.least_latency;
  it.bandwidth = moved / (memory + (it.equation == 11 ? flops : cached));
  return it;
}

}  // namespace uotbench
