#include "tools/uotbench/running/ceilings_again.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/sweep/language/strict_json.hpp"
#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/run/runner.hpp"
#include "results/record/axes/case_parts.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

/// What a run cannot tell from being at the roof is less.
constexpr double exceeds = 1.05;

bool same(const Roof& a, const Roof& b) {
  return a.kernel == b.kernel && a.level == b.level && a.form == b.form && a.operation == b.operation &&
         a.dtype == b.dtype && a.threads == b.threads && a.place == b.place;
}

bool is_known(const Run& run, const Roof& roof) {
  return std::ranges::any_of(run.ceilings_again, [&](const CeilingAgain& again) {
    const auto known = roof_of(again, run.header);
    return known && same(*known, roof);
  });
}

/// The kernel that measures a roof; null: its worker does not hold it.
const VariantInfo* kernel_of(const Roof& roof, Crew& crew) {
  if (!roof.worker) return nullptr;
  const auto& manifests = crew.manifests();
  if (std::ranges::find(manifests, *roof.worker, &Manifest::name) == manifests.end()) return nullptr;
  const auto& variants = crew.roster(*roof.worker).variants;
  const auto found = variants.find("ceiling/" + roof.kernel);
  return found != variants.end() && found->second.measures ? &found->second : nullptr;
}

/// The roof among them that a record's kernel and point measured.
const Exceeded* exceeded_by(const Record& record, const std::vector<Exceeded>& exceeded) {
  const Setting setting = setting_of(record);
  for (const auto& one : exceeded)
    if (one.roof.kernel == short_variant(record) && one.roof.dtype == setting.dtype &&
        one.roof.threads == setting.threads && one.roof.place == setting.place &&
        (one.roof.form.empty() || one.roof.form == record.point.value("form", "vector")) &&
        (!one.roof.working_set || !record.work || !record.work->working_set || one.roof.level.empty() ||
         *one.roof.working_set == *record.work->working_set))
      return &one;
  return nullptr;
}

}  // namespace

std::vector<Exceeded> exceeded_ceilings(const Run& run) {
  const auto ceilings = ceilings_of(run);
  const RunView view = view_under_roofs(run);
  std::vector<Exceeded> exceeded;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      if (!member.roof || member.roof->fraction <= exceeds) continue;
      const Ceilings* const its = ceilings_for(ceilings, run, *member.record);
      if (!its || its->source != "measured" || its->device != "cpu") continue;
      for (const auto& roof : limits_of(member, *its)) {
        if (is_known(run, roof)) continue;
        const auto found =
            std::ranges::find_if(exceeded, [&](const Exceeded& one) { return same(one.roof, roof); });
        if (found == exceeded.end())
          exceeded.push_back({roof, {member.record->id}});
        else
          found->ids.push_back(member.record->id);
      }
    }
  return exceeded;
}

Json sweep_again(const std::vector<Exceeded>& exceeded, Crew& crew) {
  Json cases = Json::array();
  for (const auto& [roof, ids] : exceeded) {
    const VariantInfo* const kernel = kernel_of(roof, crew);
    if (!kernel || (roof.is_bandwidth() && !roof.working_set)) continue;
    const std::string dtype = roof.dtype.value_or("f32");
    const double width = dtype == "f64" ? 8 : 4;
    const std::int64_t N =
        roof.is_bandwidth() ? std::llround(*roof.working_set / (width * kernel->measures->arrays)) : 4096;
    Json axes{{"N", N},
              {"dtype", dtype},
              {"threads", roof.threads.value_or(1)},
              {"place", roof.place.value_or("close")}};
    if (!roof.form.empty() &&
        std::ranges::any_of(kernel->axes, [](const Axis& axis) { return axis.name == "form"; }))
      axes["form"] = roof.form;
    cases.push_back({{"variants", {kernel->name}}, {"workers", {*roof.worker}}, {"axes", std::move(axes)}});
  }
  return {{"name", "ceilings_again"},
          {"measure", {{"rounds", 3}, {"min_samples", 12}, {"max_noise", "2%"}, {"max_time", "300ms"}}},
          {"cases", std::move(cases)}};
}

std::size_t measure_again(const std::vector<Exceeded>& exceeded, Crew& crew, RunFile& file, bool quiet) {
  const Json json = sweep_again(exceeded, crew);
  if (json.at("cases").empty()) return 0;
  if (!quiet)
    fmt::print(stderr, "cases are above their roofs; measuring {} again\n",
               counted(json.at("cases").size(), "ceiling"));
  const Sweep sweep =
      sweep_from(json, read_strictly(configs_folder() / "sweep.schema.json"), "ceilings measured again");
  const Plan plan = make_plan(sweep, crew, {.skip_impossible = true});
  Progress progress(stderr, Progress::style_for(stderr, quiet), plan.size(), 1 + sweep.measure.rounds);
  std::size_t kept = 0;
  const auto keep = [&](const std::vector<Record>& records) {
    std::vector<Json> lines;
    for (const auto& record : records)
      if (const Exceeded* const one = exceeded_by(record, exceeded); one && record.status == Status::ok)
        lines.push_back(
            to_json(CeilingAgain{.record = record, .exceeded_by = one->ids, .was = one->roof.value}));
    kept += lines.size();
    if (!lines.empty()) file.append_all(lines);
  };
  const RunOptions options{.measure = sweep.measure,
                           .prove = false,
                           .save_arrays = {},
                           .repeat = [](const Case& member) { return "uotbench run --case " + member.id; },
                           .enough = [](const Group&) { return false; }};
  Runner(crew, options, progress, keep).run(plan, {});
  progress.close();
  return kept;
}

}  // namespace uotbench
