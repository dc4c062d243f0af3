#include "roofline/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/base/units.hpp"
#include "results/record/axes/settings_json.hpp"

namespace uotbench {
namespace {

// What one run cannot tell from being at the roof: ceilings and cases were not measured in the same minute.
constexpr double doubtful = 1.02;

/// Why a case is above its roof, the likeliest first.
std::string cause(const Record& record, const std::string& level, double median, const Roofs& roofs,
                  const Caches& caches) {
  const Work& work = *record.work;
  const Setting setting = setting_of(record);
  const auto inner = roofs.levels();
  if (const auto least = roofs.memory_floor(work, inner.empty() ? level : inner.front());
      least && median * doubtful < *least)
    return fmt::format("as the work model is wrong (not even {} moves so many bytes in this time)",
                       inner.front());
  for (const auto& cache : caches.levels()) {
    if (!work.working_set) break;  // caches were emptied, or there were no bytes
    const double bytes = caches.capacity(cache, setting.threads, setting.place);
    if (caches.outside(cache.name) != level && !(level == "DRAM" && *work.working_set <= bytes)) continue;
    if (*work.working_set < streaming_caches * bytes)
      return fmt::format("as the working set ({}) stays in {} ({}) in part", format_bytes(*work.working_set),
                         cache.name, format_bytes(bytes));
  }
  return fmt::format("as the ceiling was measured too low ({}, {}; uotbench machine measures it again)",
                     level, text_of(setting));
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
  const auto dtype = record.point.find("dtype");
  return {.threads = settings.cpus(),
          .place = settings.place,
          .dtype = dtype != record.point.end() && dtype->is_string() ? dtype->get<std::string>() : "f32"};
}

std::string text_of(const Setting& setting) {
  return fmt::format("{}, {} thread{}{}", setting.dtype, setting.threads, setting.threads == 1 ? "" : "s",
                     setting.place == "close" ? "" : ", " + setting.place);
}

std::string device_of(const Json& header, const std::string& worker) {
  const auto workers = header.find("workers");
  if (workers == header.end() || !workers->is_object()) return "cpu";
  const auto build = workers->find(worker);
  return build != workers->end() && build->is_object() && build->contains("device") ? "gpu" : "cpu";
}

std::string level_of(const Record& record, const Ceilings& ceilings, const Caches& caches) {
  std::string level = "DRAM";
  const Setting setting = setting_of(record);
  if (ceilings.source != "specification" && record.work && record.work->working_set &&
      !settings_of(record.point).cold)
    level = caches.level_of(*record.work->working_set, setting.threads, setting.place);
  return level;
}

std::string unmeasured(const Record& record, const Ceilings& ceilings, const Caches& caches) {
  if (!record.work) return "";
  const Setting setting = setting_of(record);
  const Roofs roofs(ceilings, setting);
  std::string names;
  const bool placed = record.work->working_set || settings_of(record.point).cold;
  if (const auto level = level_of(record, ceilings, caches);
      record.work->bytes() > 0 && placed && !roofs.bandwidth(level))
    names = level;
  for (const auto& [name, count] : record.work->operations)
    if (!roofs.rate(name)) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "" : fmt::format("{} ({})", names, text_of(setting));
}

std::optional<RoofView> roof_of(const CaseView& member, const Ceilings& ceilings, const Caches& caches) {
  const Record& record = *member.record;
  if (!member.time || member.time->median <= 0 || !record.work) return std::nullopt;
  if (!unmeasured(record, ceilings, caches).empty()) return std::nullopt;
  // Which cache it comes from nobody knows then.
  if (record.work->bytes() > 0 && !record.work->working_set && !settings_of(record.point).cold)
    return std::nullopt;
  const Roofs roofs(ceilings, setting_of(record));
  const std::string level = level_of(record, ceilings, caches);
  const double median = member.time->median;
  const double memory = roofs.memory_floor(*record.work, level).value_or(0);
  const double compute = roofs.compute_floor(*record.work).value_or(0);
  RoofView view{.level = level,
                .bound = compute > memory ? "compute" : "memory",
                .intensity = intensity_of(*record.work),
                .floor = std::max(memory, compute),
                .fraction = {},
                .cause = {}};
  for (const auto& [name, count] : record.work->operations)
    if (const double seconds = count / roofs.rate(name)->value; seconds > view.floor) {
      view.floor = seconds;
      view.bound = name;
    }
  // Bytes without a bandwidth to hold them against are no floor of zero.
  if (view.floor <= 0 || (record.work->bytes() > 0 && memory <= 0)) return std::nullopt;
  view.fraction = view.floor / median;
  if (view.fraction > doubtful) view.cause = cause(record, level, median, roofs, caches);
  return view;
}

std::vector<Roof> limits_of(const CaseView& member, const Ceilings& ceilings) {
  std::vector<Roof> limits;
  if (!member.roof) return limits;
  const Roofs roofs(ceilings, setting_of(*member.record));
  const auto add = [&](const Roof* roof) {
    if (roof) limits.push_back(*roof);
  };
  if (member.roof->bound == "compute")
    add(roofs.peak());
  else if (const Roof* const rate = roofs.rate(member.roof->bound))
    add(rate);
  else
    for (const auto& kernel : roofs.kernels_for(*member.record->work, member.roof->level))
      add(roofs.bandwidth(member.roof->level, kernel));
  return limits;
}

}  // namespace uotbench
