#include "tools/uotbench/running/ceilings_again.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/run/runner.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/counters.hpp"
#include "results/record/timing.hpp"
#include "roofline/explain/hot_code.hpp"
#include "roofline/explain/parts.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/machine_sweep.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

/// What a run cannot tell from being at the roof is less.
constexpr double exceeds = 1.05;
// Of sets where no curve was measured: an iteration over a larger one takes a tenth of a second, and what
// lies beyond is memory as well.
constexpr double largest_set = 1 << 30;
// Seconds. Other guests of a shared machine change what its L3 and memory give within minutes; the ceilings
// of a case take about a second.
constexpr double near_in_time = 120;

/// Working sets of one problem differ by a vector here and there.
bool same_set(const Roof& a, const Roof& b) {
  constexpr double apart = 1.05;
  if (!a.working_set || !b.working_set) return !a.working_set == !b.working_set;
  return *a.working_set < apart * *b.working_set && *b.working_set < apart * *a.working_set;
}

bool same(const Roof& a, const Roof& b) {
  return a.kernel == b.kernel && a.level == b.level && a.form == b.form && a.operation == b.operation &&
         a.dtype == b.dtype && a.threads == b.threads && a.place == b.place && same_set(a, b);
}

/// Whether the run measured it for this case already.
bool is_known(const Run& run, const Roof& roof, const std::string& id) {
  return std::ranges::any_of(run.ceilings_again, [&](const CeilingAgain& again) {
    if (std::ranges::find(again.exceeded_by, id) == again.exceeded_by.end()) return false;
    const Setting setting = setting_of(again.record);
    return short_variant(again.record) == roof.kernel && setting.threads == roof.threads &&
           setting.place == roof.place && setting.dtype == roof.dtype;
  });
}

void want(std::vector<WantedCeiling>& wanted, const Roof& roof, const std::string& id, bool known = false) {
  const auto found =
      std::ranges::find_if(wanted, [&](const WantedCeiling& one) { return same(one.roof, roof); });
  if (found == wanted.end())
    wanted.push_back({roof, {id}, known});
  else if (std::ranges::find(found->ids, id) == found->ids.end())
    found->ids.push_back(id);
}

/// The worker that measures a roof, and its kernel; null: there is none.
std::pair<std::string, const VariantInfo*> kernel_of(const Roof& roof, WorkerPool& pool) {
  const std::string worker = roof.worker.value_or(pool.default_worker("ceiling/*"));
  const auto& manifests = pool.manifests();
  if (std::ranges::find(manifests, worker, &Manifest::name) == manifests.end()) return {worker, nullptr};
  const auto& variants = pool.worker_info(worker).variants;
  const auto found = variants.find("ceiling/" + roof.kernel);
  return {worker, found != variants.end() && found->second.measures ? &found->second : nullptr};
}

/// Of its arrays; where it computes, as many elements as show what became of every lane of a few threads.
ArraySizes sizes_wanted(const Roof& roof, const VariantInfo& kernel) {
  if (!roof.working_set || kernel.measures->arrays == 0) return {.N = 4096};
  return array_sizes(*roof.working_set, kernel, roof.dtype == "f64" ? 8 : 4, roof.threads.value_or(1));
}

ArraySizes sizes_of(const Record& record) {
  return {.N = static_cast<std::int64_t>(record.point.number("N").value_or(0)),
          .repeat = static_cast<std::int64_t>(record.point.number("repeat").value_or(1))};
}

/// The one among them that a record measured.
const WantedCeiling* measured_by(const Record& record, const std::vector<WantedCeiling>& wanted,
                                 WorkerPool& pool) {
  const Setting setting = setting_of(record);
  for (const auto& one : wanted)
    if (const auto* const kernel = kernel_of(one.roof, pool).second;
        kernel && one.roof.kernel == short_variant(record) && one.roof.dtype == setting.dtype &&
        one.roof.threads == setting.threads && one.roof.place == setting.place &&
        (one.roof.form.empty() ||
         one.roof.form == (record.point.contains("form") ? record.point.text("form") : "vector")) &&
        sizes_of(record) == sizes_wanted(one.roof, *kernel))
      return &one;
  return nullptr;
}

/// The dtype that a ceiling is measured in for a case: bytes are bytes.
std::string dtype_for(const Setting& setting) { return setting.dtype == "f64" ? "f64" : "f32"; }

/// Whether the flop rate of these threads should be measured once more: it looks like that of fewer cores, as
/// where a host ran two CPUs of its guest on one for a while.
bool needs_another_try(const Run& run, const Ceilings& its, const Setting& setting) {
  constexpr std::ptrdiff_t tries = 3;
  return poor_scaling(its, setting.dtype, setting.threads, setting.place) &&
         std::ranges::count_if(run.ceilings_again, [&](const CeilingAgain& again) {
           return short_variant(again.record) == "fma" && setting_of(again.record) == setting;
         }) < tries;
}

/// Whether other guests of the machine use it, too.
bool is_shared(const std::string& level) { return level != "L1" && level != "L2"; }

/// What this case has ceilings of that were measured minutes away, or in another run: those of its level,
/// and, if it is taken apart, of shared levels inside. They are measured at the same set, so that
/// measurements of one ceiling are of one size.
void want_nearby(std::vector<WantedCeiling>& wanted, const Record& record, const Roofs& roofs,
                 const Footprint& from, const Caches& caches) {
  const auto when = when_measured(*record.time);
  if (!when || record.work->bytes() <= 0 || !from.bytes || !is_shared(from.level)) return;
  const Setting setting = setting_of(record);
  const auto want_old = [&](const Footprint& place) {
    for (const auto& known : roofs.limits(*record.work, place)) {
      if (!known.working_set || (known.when && std::abs(*known.when - *when) <= near_in_time)) continue;
      Roof roof{.kernel = known.kernel,
                .dtype = dtype_for(setting),
                .threads = setting.threads,
                .place = setting.threads > 1 ? setting.place : "close",
                .working_set = place.bytes};
      // Read off a curve it is of this set, beyond a curve's end of a smaller one.
      if (place.bytes) roof.working_set = std::min(*place.bytes, std::max(largest_set, *known.working_set));
      if (!place.bytes || same_set(known, roof)) roof.working_set = known.working_set;
      want(wanted, roof, record.id, true);
    }
  };
  want_old({.level = from.level, .bytes = from.bytes});
  if (!counter_of(record, counter_names::by_block)) return;
  for (const auto& level : caches.levels()) {
    if (level.name == from.level) break;
    if (is_shared(level.name)) want_old({.level = level.name});
  }
}

/// A case whose code was counted is taken apart (uotbench explain): into cycles, and transfers between
/// levels, of lines in streams and of those that continue none.
void want_parts(std::vector<WantedCeiling>& wanted, const Record& record, const Roofs& roofs,
                const Footprint& from, const Caches& caches) {
  const auto code = counter_of(record, counter_names::by_block);
  if (!code) return;
  const Setting setting = setting_of(record);
  Roof roof{.dtype = dtype_for(setting),
            .threads = setting.threads,
            .place = setting.threads > 1 ? setting.place : "close"};
  if (!roofs.rate("cycle")) {
    roof.kernel = roof.operation = "cycle";
    want(wanted, roof, record.id);
  }
  constexpr std::pair<const char*, const char*> waits[]{{counter_names::regions, "region"},
                                                        {counter_names::barriers, "barrier"},
                                                        {counter_names::page_faults, "fault"}};
  for (const auto& [counter, ceiling] : waits)
    if (const auto count = counted(record, counter); count && *count > 0 && !roofs.rate(ceiling)) {
      roof.kernel = roof.operation = ceiling;
      want(wanted, roof, record.id);
    }
  // Counted on one thread, but needed for the case of several, too.
  const auto mispredicted = counter_of(record, counter_names::mispredicted);
  if (mispredicted && mispredicted->value.value_or(1) > 0 && !roofs.rate("misprediction")) {
    roof.kernel = roof.operation = "misprediction";
    want(wanted, roof, record.id);
  }
  roof.operation = "";
  // Of lines that were not counted (uotbench explain takes those of fewer threads) it is not known.
  const auto accesses = counter_of(record, counter_names::l1_accesses);
  const bool scattered =
      (accesses && !accesses->value) || std::ranges::any_of(std::array{"L2", "L3"}, [&](const char* level) {
        return scattered_lines(record, level).has_value();
      });
  const auto want_at = [&](const Footprint& place, const std::vector<std::string>& kernels) {
    roof.working_set = place.bytes;
    for (const auto& kernel : kernels) {
      roof.kernel = kernel;
      want(wanted, roof, record.id);
    }
  };
  for (const auto& level : caches.levels()) {
    if (level.name == from.level) break;
    const Footprint place{.level = level.name,
                          .bytes = ceiling_set(caches, level.name, setting.threads, setting.place)};
    if (!place.bytes) continue;
    want_at(place, roofs.lacking(*record.work, place));
    if (scattered && is_shared(level.name)) want_at(place, roofs.lacking_strided(*record.work, place));
  }
  if (record.work->bytes() <= 0 || !from.bytes) return;
  const Footprint own{.level = from.level, .bytes = std::min(*from.bytes, largest_set)};
  if (scattered) want_at(own, roofs.lacking_strided(*record.work, own));
  if (reads_back(*record.work) && !roofs.at(own, copy_back)) want_at(own, {copy_back});
}

/// What this case lacks. `flops_again`: the flop rate is doubtful.
void want_missing(std::vector<WantedCeiling>& wanted, const Record& record, const Roofs& roofs,
                  const Footprint& from, bool flops_again) {
  const Work& work = *record.work;
  const Setting setting = setting_of(record);
  Roof roof{.dtype = dtype_for(setting),
            .threads = setting.threads,
            .place = setting.threads > 1 ? setting.place : "close"};
  if (work.bytes() > 0 && from.bytes)
    for (const auto& kernel : roofs.lacking(work, from)) {
      roof.kernel = kernel;
      roof.working_set = std::min(*from.bytes, largest_set);
      want(wanted, roof, record.id);
    }
  roof.working_set.reset();
  if (work.flops > 0 && (!roofs.peak() || flops_again) && roof.dtype == setting.dtype) {
    roof.kernel = "fma";
    roof.form = "vector";
    want(wanted, roof, record.id);
  }
  for (const auto& [name, count] : work.operations)
    if (!roofs.rate(name) && roof.dtype == setting.dtype) {
      roof.kernel = roof.operation = name;
      roof.form = "";
      want(wanted, roof, record.id);
    }
}

}  // namespace

std::vector<WantedCeiling> exceeded_ceilings(const Run& run) {
  const CeilingsInTime ceilings(run);
  const RunView view = view_under_roofs(run);
  std::vector<WantedCeiling> exceeded;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      if (!member.roof || member.roof->fraction <= exceeds) continue;
      const Ceilings* const its = ceilings.of(*member.record);
      if (!its || its->source != "measured" || its->device != "cpu") continue;
      for (const auto& roof : limits_of(member, *its, Caches(run.machine_of(*member.record))))
        if (!is_known(run, roof, member.record->id)) want(exceeded, roof, member.record->id);
    }
  return exceeded;
}

std::vector<WantedCeiling> missing_ceilings(const Run& run, Counts counts) {
  const CeilingsInTime ceilings(run);
  const Ceilings none{.source = "measured",
                      .name = {},
                      .device = "cpu",
                      .fingerprint = {},
                      .made = {},
                      .about = {},
                      .roofs = {}};
  const Caches caches(run.header.machine);
  std::map<std::pair<const Ceilings*, Setting>, Roofs> known;
  std::vector<WantedCeiling> missing;
  for (const auto& record : run.records) {
    if (record.status != Status::ok || !record.time || !record.work || family_of(record) == "ceiling" ||
        device_of(run.header, record.worker) != "cpu" || record.machine)
      continue;
    const Ceilings* const found = ceilings.of(record);
    const Ceilings& its = found ? *found : none;
    const Setting setting = setting_of(record);
    const Roofs& roofs = known.try_emplace({&its, setting}, its, setting, caches).first->second;
    const Footprint from = footprint_of(record, its, caches);
    want_missing(missing, record, roofs, from, needs_another_try(run, its, setting));
    want_parts(missing, record, roofs, from, caches);
    if (counts == Counts::nearby && its.source == "measured")
      want_nearby(missing, record, roofs, from, caches);
  }
  std::ranges::stable_sort(missing, std::greater{},
                           [](const WantedCeiling& one) { return std::pair(!one.known, one.ids.size()); });
  return missing;
}

Sweep sweep_again(const std::vector<WantedCeiling>& wanted, WorkerPool& pool) {
  Sweep sweep;
  for (const auto& [roof, ids, known] : wanted) {
    const auto [worker, kernel] = kernel_of(roof, pool);
    if (!kernel || (roof.is_bandwidth() && !roof.working_set)) continue;
    const auto [N, repeat] = sizes_wanted(roof, *kernel);
    CaseGroup cases{
        .variants = {kernel->name}, .workers = {worker}, .axes = {}, .conditions = {}, .pointer = {}};
    const auto add = [&](const std::string& axis, const Value& value) {
      cases.axes.push_back({.names = {axis}, .tuples = {{value}}});
    };
    add("N", N);
    add("dtype", roof.dtype.value_or("f32"));
    add("threads", roof.threads.value_or(1));
    add("place", roof.place.value_or("close"));
    if (repeat > 1) add("repeat", repeat);
    const auto has = [&](const char* name) {
      return std::ranges::any_of(kernel->axes, [&](const Axis& axis) { return axis.name == name; });
    };
    // What a kernel gets by prefetching more than the hardware does, a ceiling gets as well.
    if (roof.value > 0 && has("ahead")) cases.axes.push_back({.names = {"ahead"}, .tuples = {{0}, {8}}});
    if (!roof.form.empty() && has("form")) add("form", roof.form);
    sweep.cases.push_back(std::move(cases));
  }
  sweep.name = "ceilings_again";
  sweep.measure = {.rounds = 2, .min_samples = 10, .max_noise = 0.02, .max_time = 0.15};
  return made_sweep(std::move(sweep), "ceilings measured again");
}

std::vector<CeilingAgain> measure_ceilings(const std::vector<WantedCeiling>& wanted, WorkerPool& pool,
                                           RunWriter& run, double seconds, bool quiet) {
  const Sweep sweep = sweep_again(wanted, pool);
  if (sweep.cases.empty()) return {};
  const bool again = wanted.front().roof.value > 0;
  if (!quiet)
    fmt::print(stderr, "{}{}{}\n", again ? "cases are above their roofs; measuring " : "measuring ",
               counted(sweep.cases.size(), "ceiling"), again ? " again" : " that the cases need");
  const Plan plan = make_plan(sweep, pool, {.skip_impossible = true});
  Progress progress(stderr, Progress::style_for(stderr, quiet), plan.size(), 1 + sweep.measure.rounds);
  std::vector<CeilingAgain> measured;
  const auto keep = [&](const std::vector<Record>& records) {
    std::vector<CeilingAgain> ceilings;
    for (const auto& record : records)
      if (const auto* const one = measured_by(record, wanted, pool); one && record.status == Status::ok)
        ceilings.push_back(
            again ? CeilingAgain{.record = record, .exceeded_by = one->ids, .was = one->roof.value}
                  : CeilingAgain{.record = record, .needed_by = one->ids});
    if (!ceilings.empty()) run.add(ceilings);
    measured.insert(measured.end(), ceilings.begin(), ceilings.end());
  };
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  bool begun = false;
  const RunOptions options{.measure = sweep.measure,
                           .prove = false,
                           .save_arrays = {},
                           .repeat = [](const Case& member) { return "uotbench run --case " + member.id; },
                           .enough =
                               [&](const Group&) {
                                 const std::chrono::duration<double> spent = Clock::now() - start;
                                 return std::exchange(begun, true) && spent.count() > seconds;
                               }};
  Runner(pool, options, progress, keep).run(plan, {});
  progress.close();
  return measured;
}

}  // namespace uotbench
