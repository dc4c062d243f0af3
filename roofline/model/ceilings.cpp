#include "roofline/model/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/timing.hpp"
#include "results/statistics/statistics.hpp"
#include "roofline/model/caches.hpp"

namespace uotbench {
namespace {

// Where nothing is known of caches: more than any core has beside it, short of a server's whole socket.
constexpr double unknown_cache = 64 << 20;
// Four times the last cache: what of it stays from one pass to the next is beyond notice.
constexpr double past_caches = 4;

/// The median of the best process: a median, because the time of a case is one too; of the best process,
/// because a limit is what the machine gives while no other program uses it.
double best_time(const Timing& time) {
  double best = INFINITY;
  for (const auto& process : time.processes)
    if (!process.samples.empty()) best = std::min(best, median(process.samples));
  return best;
}

/// The level that this working set tells of; empty: it lies between two.
std::string level_for(double bytes, const Caches& caches, std::int64_t threads, const std::string& place) {
  const std::string level = caches.level_of(bytes, threads, place);
  const auto right = ceiling_set(caches, level, threads, place);
  // Whole vectors for every thread make sets a little smaller than they should be.
  constexpr double slack = 0.01;
  if (!right) return "";
  if (level == "DRAM") return bytes >= *right * (1 - slack) ? level : "";
  return bytes <= *right * (1 + slack) ? level : "";
}

/// What a record of the family tells; nothing where it tells of no limit. Of operations of several kinds
/// each: short messages tell how many there may be, long ones how many bytes.
std::vector<Roof> roofs_of(const Record& record) {
  if (record.status != Status::ok || !record.time || !record.work) return {};
  const double seconds = best_time(*record.time);
  if (!(seconds > 0) || !std::isfinite(seconds)) return {};
  const Settings settings = settings_of(record.point);
  Roof roof{.kernel = short_variant(record),
            .dtype = record.point.json().value("dtype", "f32"),
            .threads = settings.cpus(),
            .place = settings.place,
            .worker = record.worker,
            .noise = summary_of(*record.time).noise,
            .when = when_measured(*record.time)};
  if (!record.work->operations.empty()) {
    // A rate that depends on where its data are (ceiling/chase) is no limit of its own.
    if (record.work->working_set.value_or(0) > 0) return {};
    std::vector<Roof> roofs;
    roof.form = record.point.json().value("form", "vector");
    for (const auto& [operation, count] : record.work->operations) {
      roof.operation = operation;
      roof.value = count / seconds;
      roofs.push_back(roof);
    }
    return roofs;
  }
  if (record.work->bytes() > 0) {
    if (!(record.work->working_set.value_or(0) > 0) || settings.cold) return {};
    roof.working_set = record.work->working_set;
    roof.value = record.work->bytes() / seconds;
  } else if (record.work->flops > 0) {
    roof.form = record.point.json().value("form", "vector");
    roof.value = record.work->flops / seconds;
  } else {
    return {};  // it passes time
  }
  return {roof};
}

/// Of a run's first line.
std::vector<Ceilings> stored_in(const Run& run) {
  const Json& json = run.header.ceilings.json();
  std::vector<Ceilings> list;
  if (json.is_null()) return list;
  if (!json.is_array())
    throw UsageError(fmt::format("{}: line 1: /ceilings is no list of ceilings", run.path.string()));
  for (std::size_t i = 0; i < json.size(); ++i) try {
      list.push_back(ceilings_from(json[i]));
    } catch (const Error& error) {
      throw UsageError(fmt::format("{}: line 1: /ceilings/{}: {}", run.path.string(), i, error.what()));
    }
  return list;
}

}  // namespace

std::optional<double> ceiling_set(const Caches& caches, const std::string& level, std::int64_t threads,
                                  const std::string& place) {
  const auto& levels = caches.levels();
  if (level == "DRAM")
    return past_caches * (levels.empty() ? unknown_cache * static_cast<double>(threads)
                                         : caches.capacity(levels.back(), threads, place));
  const auto found = std::ranges::find(levels, level, &CacheLevel::name);
  if (found == levels.end()) return std::nullopt;
  const double share = caches.share(*found, threads, place);
  if (found == levels.begin()) return share / 2;
  const double inner = caches.capacity(*(found - 1), threads, place);
  if (share / 2 >= 1.5 * inner) return share / 2;
  if (share > inner) return std::sqrt(share * inner);
  return std::nullopt;
}

namespace {

/// What these records show of the limits of the machine that they were measured on.
Ceilings measured_by(const std::vector<const Record*>& records, const MachineFacts& machine,
                     const std::string& started) {
  Ceilings ceilings{.source = "measured",
                    .name = {},
                    .device = "cpu",
                    .fingerprint = machine.fingerprint(),
                    .made = started,
                    .about = {},
                    .roofs = {}};
  ceilings.name = machine.cpu();
  using Key =
      std::tuple<std::string, std::string, std::string, double, std::string, std::int64_t, std::string>;
  std::map<Key, std::size_t> places;
  for (const Record* const record : records) {
    if (family_of(*record) != "ceiling" || (record->machine && *record->machine != ceilings.fingerprint))
      continue;
    for (const auto& roof : roofs_of(*record)) {
      const auto [found, fresh] =
          places.emplace(Key{roof.kernel, roof.operation, roof.form, roof.working_set.value_or(0),
                             *roof.dtype, *roof.threads, *roof.place},
                         ceilings.roofs.size());
      if (fresh)
        ceilings.roofs.push_back(roof);
      else if (ceilings.roofs[found->second].value < roof.value)
        ceilings.roofs[found->second] = roof;
    }
  }
  return ceilings;
}

/// What tells a roof from others of its machine.
auto identity(const Roof& roof) {
  return std::tuple(roof.kernel, roof.operation, roof.form, roof.level, roof.dtype, roof.threads, roof.place,
                    roof.is_point() ? *roof.working_set : 0);
}

/// Whether a roof of a level, as runs of before have them, is of the level that a point tells of.
bool is_level_of(const Roof& known, const Roof& point, const Caches& caches) {
  return known.is_bandwidth() && !known.is_point() && point.is_point() && known.kernel == point.kernel &&
         known.dtype == point.dtype && known.threads == point.threads && known.place == point.place &&
         known.level ==
             level_for(*point.working_set, caches, point.threads.value_or(1), point.place.value_or("close"));
}

/// Takes what was measured for cases: a limit is the most that was seen, and what was exceeded was `was`. A
/// bandwidth that was measured beside the cases because they need it replaces one of another run.
void take_for_cases(std::vector<Roof>& roofs, const Roof& measured, const CeilingAgain& again,
                    const Caches& caches) {
  const auto same = std::ranges::find_if(roofs, [&](const Roof& known) {
    return identity(known) == identity(measured) || is_level_of(known, measured, caches);
  });
  if (same == roofs.end()) {
    if (again.exceeded_by.empty() || measured.value > again.was) roofs.push_back(measured);
  } else if (same->value < measured.value ||
             (again.exceeded_by.empty() && measured.is_point() && measured.when && !same->when)) {
    const std::string level = same->level;
    *same = measured;
    same->level = level;
  }
}

Ceilings measured_by(const CeilingAgain& again, const Run& run) {
  return measured_by({&again.record}, run.machine_of(again.record), run.header.started);
}

void take_measured_for_cases(std::vector<Ceilings>& list, const Run& run) {
  for (const auto& again : run.ceilings_again) {
    const Caches caches(run.machine_of(again.record));
    auto measured = measured_by(again, run);
    if (measured.roofs.empty()) continue;
    const auto its = std::ranges::find_if(list, [&](const Ceilings& each) {
      return each.device == measured.device && each.source == measured.source &&
             (measured.fingerprint.empty() || each.fingerprint == measured.fingerprint);
    });
    if (its == list.end())
      list.insert(list.begin(), std::move(measured));
    else
      for (const auto& roof : measured.roofs) take_for_cases(its->roofs, roof, again, caches);
  }
}

}  // namespace

Ceilings ceilings_measured_in(const Run& run) {
  std::vector<const Record*> records;
  for (const auto& record : run.records) records.push_back(&record);
  return measured_by(records, run.header.machine, run.header.started);
}

std::optional<Roof> roof_of(const CeilingAgain& again, const Run& run) {
  const auto roofs = measured_by(again, run).roofs;
  return roofs.empty() ? std::nullopt : std::optional(roofs.front());
}

bool is_same_ceiling(const Roof& a, const Roof& b) { return identity(a) == identity(b); }

bool is_of_pattern(const std::string& kernel) {
  return kernel.starts_with("strided_") || kernel == copy_back;
}

std::string name_of(const Roof& roof) {
  if (roof.is_point()) return fmt::format("{} at {}", roof.kernel, format_bytes(*roof.working_set));
  return roof.kernel + (roof.level.empty() ? "" : " ") + roof.level;
}

std::string doubts_about(const Ceilings& ceilings) {
  constexpr double much = 0.25;
  std::size_t noisy = 0;
  const Roof* worst = nullptr;
  for (const auto& roof : ceilings.roofs) {
    noisy += roof.noise.value_or(0) > much;
    if (roof.noise && (!worst || *roof.noise > *worst->noise)) worst = &roof;
  }
  if (noisy == 0) return "";
  return fmt::format(
      "{} of {} ceilings vary by more than {:.0f}% (the most: {}, spread {:.0f}%) and may be too low: "
      "uotbench "
      "machine on a "
      "quiet machine measures them again",
      noisy, ceilings.roofs.size(), 100 * much, name_of(*worst), 100 * *worst->noise);
}

std::optional<double> poor_scaling(const Ceilings& ceilings, const std::string& dtype, std::int64_t threads,
                                   const std::string& place) {
  constexpr double least =
      0.6;  // clocks of all cores together are lower than that of one, by a third at most
  const auto rate = [&](std::int64_t wanted, const std::string& where) {
    double best = 0;
    for (const auto& roof : ceilings.roofs)
      if (roof.is_flops() && roof.form == "vector" && roof.dtype == dtype && roof.threads == wanted &&
          (wanted == 1 || roof.place == where))
        best = std::max(best, roof.value);
    return best;
  };
  const double one = rate(1, place), all = rate(threads, place);
  if (threads < 2 || one <= 0 || all <= 0 || all >= least * static_cast<double>(threads) * one)
    return std::nullopt;
  return all / one;
}

std::vector<Ceilings> ceilings_of(const Run& run) {
  std::vector<Ceilings> list = stored_in(run);
  Ceilings own = ceilings_measured_in(run);
  const auto same_device = std::ranges::find(list, own.device, &Ceilings::device);
  if (!own.roofs.empty() && same_device == list.end()) {
    list.insert(list.begin(), std::move(own));
  } else if (!own.roofs.empty()) {
    // What was measured beside the cases tells more of them than what was measured some other day.
    auto& roofs = same_device->roofs;
    std::erase_if(roofs, [&](const Roof& roof) {
      return std::ranges::any_of(own.roofs,
                                 [&](const Roof& mine) { return identity(mine) == identity(roof); });
    });
    roofs.insert(roofs.end(), own.roofs.begin(), own.roofs.end());
  }
  take_measured_for_cases(list, run);
  return list;
}

}  // namespace uotbench
