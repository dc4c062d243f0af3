#include "results/view/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/record/record.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/record/run_header.hpp"
#include "results/record/timing.hpp"
#include "results/view/metrics.hpp"

namespace uotbench {
namespace {

using Index = std::unordered_map<std::string, const CaseView*>;

std::string name_for(const Record& record, bool ignore_worker) {
  return ignore_worker ? record.id.substr(0, record.id.rfind('@')) : record.id;
}

Index index_of(const RunView& view, bool ignore_worker) {
  Index index;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      const auto [other, fresh] = index.emplace(name_for(*member.record, ignore_worker), &member);
      if (!fresh)
        throw UsageError(fmt::format(
            "--ignore worker: {} has {} in several workers ({}, {}); compare them with --vary worker",
            view.run->path.string(), other->first, other->second->record->worker, member.record->worker));
    }
  return index;
}

std::string side(const Run& run) {
  const std::string& started = run.header.started;
  return started.empty() ? run.path.string() : fmt::format("{} ({})", run.path.string(), started);
}

/// "6def655", and a mark where it had changes.
std::string commit_of(const WorkerBuild& build) {
  const std::string commit = build.commit();
  if (commit.empty()) return "an unknown commit";
  return commit.substr(0, 7) + (build.dirty() ? " with changes" : "");
}

void add_origins(Comparison& comparison, const RunHeader& a, const RunHeader& b) {
  auto& warnings = comparison.warnings;
  for (const auto& [side, header] : {std::pair("A", &a), std::pair("B", &b)})
    for (const auto& warning : origin_warnings(*header))
      warnings.push_back(fmt::format("{}: {}", side, warning));
  if (a.machine.fingerprint() != b.machine.fingerprint())
    warnings.push_back("A and B ran on different machines: ratios mix machine and code");
  for (const auto& option : differing(a.options, b.options))
    warnings.push_back(
        fmt::format("measured with other options: {} is {} in A, {} in B", option.name, option.a, option.b));
  if (a.environment && b.environment && *a.environment != *b.environment)
    warnings.push_back(fmt::format("measured in other environments: {} in A, {} in B",
                                   cut(to_line(to_json(*a.environment)), 200),
                                   cut(to_line(to_json(*b.environment)), 200)));
  for (const auto& [name, of_a] : a.workers) {
    const WorkerBuild* const found = b.workers.find(name);
    if (!found || of_a.is_same_build(*found)) continue;
    const WorkerBuild& of_b = *found;
    if (name == "oracle") {
      warnings.push_back(
          fmt::format("verified by other oracles: {} in A, {} in B", commit_of(of_a), commit_of(of_b)));
    } else {
      comparison.notes.push_back(fmt::format("worker {} is another build: {} in A, {} in B", name,
                                             commit_of(of_a), commit_of(of_b)));
    }
  }
}

std::vector<ComparedNumber> reported_by_both(const Record& a, const Record& b) {
  std::vector<ComparedNumber> numbers;
  for (const auto& name : reported_names({&a, 1})) {
    const auto of_a = reported_of(a, name), of_b = reported_of(b, name);
    const std::string fact = std::string(metric_names::fact) + name;
    if (of_a && of_b)
      numbers.push_back(
          {.name = name, .unit = metric_names::unit_of(fact).value_or("1"), .a = *of_a, .b = *of_b});
  }
  return numbers;
}

/// "ID (failed: wrong: …)".
std::string with_reason(const CaseView& view) {
  const Record& record = *view.record;
  const std::string reason = record.reason           ? ": " + on_one_line(*record.reason)
                             : view.time             ? ": its clock is too coarse"
                             : is_bad(record.status) ? ""
                                                     : ": not timed";
  return fmt::format("{} ({}{})", record.id, outcome_of(record), reason);
}

}  // namespace

Comparison compare_runs(const RunView& a, const RunView& b, bool ignore_worker) {
  const Index of_a = index_of(a, ignore_worker), of_b = index_of(b, ignore_worker);
  const RowNames names(a, ignore_worker ? "worker" : "");
  ComparisonBuilder builder(false);
  for (const auto& group : a.groups)
    for (const auto& member : group.cases) {
      const Record& record = *member.record;
      const auto partner = of_b.find(name_for(record, ignore_worker));
      if (partner == of_b.end()) {
        builder.alone("only in A", record.id);
      } else {
        builder.join({.group = names.group(record),
                      .label = names.label(record),
                      .value = "",
                      .a = &member,
                      .b = partner->second},
                     " in A", " in B");
      }
    }
  for (const auto& group : b.groups)
    for (const auto& member : group.cases)
      if (!of_a.contains(name_for(*member.record, ignore_worker)))
        builder.alone("only in B", member.record->id);
  Comparison comparison = builder.finish();
  comparison.a = side(*a.run);
  comparison.b = side(*b.run);
  add_origins(comparison, a.run->header, b.run->header);
  add_own_warnings(comparison, "A: ", a);
  add_own_warnings(comparison, "B: ", b);
  return comparison;
}

Json json_of(const Comparison& comparison) {
  Json rows = Json::array(), means = Json::array(), unmatched = Json::array();
  for (const auto& row : comparison.rows) {
    rows.push_back({{"group", row.group},
                    {"label", row.label},
                    {"value", row.value.empty() ? Json(nullptr) : Json(row.value)},
                    {"id_a", row.a->record->id},
                    {"id_b", row.b->record->id},
                    {"median_a", row.times.a},
                    {"median_b", row.times.b},
                    {"per", name_of(row.times.of_iterations ? Unit::iteration : row.b->record->time->per)},
                    {"ratio", row.ratio()},
                    {"low", row.interval ? Json(row.interval->low) : Json(nullptr)},
                    {"high", row.interval ? Json(row.interval->high) : Json(nullptr)},
                    {"coverage", or_null(row.coverage)},
                    {"speedup_a", or_null(row.a->speedup)},
                    {"speedup_b", or_null(row.b->speedup)}});
    for (const auto& number : row.reported)
      rows.back()["reported"].push_back(
          {{"name", number.name}, {"unit", number.unit}, {"a", number.a}, {"b", number.b}});
  }
  for (const auto& mean : comparison.means)
    means.push_back({{"value", mean.value.empty() ? Json(nullptr) : Json(mean.value)},
                     {"geometric_mean", mean.ratio},
                     {"rows", mean.rows}});
  for (const auto& cases : comparison.unmatched)
    unmatched.push_back({{"why", cases.why}, {"cases", cases.cases}});
  return {{"a", comparison.a},
          {"b", comparison.b},
          {"varied", comparison.varied.empty() ? Json(nullptr) : Json(comparison.varied)},
          {"warnings", comparison.warnings},
          {"notes", comparison.notes},
          {"rows", rows},
          {"means", means},
          {"unmatched", unmatched}};
}

RowNames::RowNames(const RunView& view, std::string varied)
    : roles_(view.run->header), varied_(std::move(varied)) {
  const auto& records = view.run->records;
  several_workers_ = std::ranges::any_of(
      records, [&](const Record& record) { return record.worker != records.front().worker; });
}

std::string RowNames::group(const Record& record) const {
  std::string text = family_of(record) + " ";
  for (const auto& part : roles_.parts(record).problem)
    if (axis_of(part) != varied_) text += " " + part;
  return several_workers_ || varied_ == "worker" ? text : text + "  @" + record.worker;
}

std::string RowNames::label(const Record& record) const {
  std::string text = short_variant(record);
  for (const auto& part : roles_.parts(record).own)
    if (axis_of(part) != varied_) text += " " + part;
  return several_workers_ && varied_ != "worker" ? text + " @" + record.worker : text;
}

void add_own_warnings(Comparison& comparison, const std::string& side, const RunView& view) {
  for (const auto& warning : view.run->warnings) comparison.warnings.push_back(side + warning);
  std::size_t doubtful = 0;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      doubtful += !member.warnings.empty();
      if (const auto why = handicap_of(*member.record); !why.empty())
        comparison.warnings.push_back(
            fmt::format("{}baseline handicapped: {}: {}", side, member.record->id, why));
    }
  if (doubtful > 0)
    comparison.warnings.push_back(fmt::format("{}the times of {} of {} cases are doubtful: see show {}", side,
                                              doubtful, view.run->records.size(), view.run->path.string()));
}

void ComparisonBuilder::join(CompareRow row, const std::string& in_a, const std::string& in_b) {
  if (!has_time(*row.a)) alone("not timed" + in_a, with_reason(*row.a));
  if (!has_time(*row.b)) alone("not timed" + in_b, with_reason(*row.b));
  if (!has_time(*row.a) || !has_time(*row.b)) return;
  if (const auto file = changed_input(row.a->record->input_files, row.b->record->input_files); !file.empty())
    return alone("measured with different input files", fmt::format("{} ({})", row.b->record->id, file));
  const Unit of_a = row.a->record->time->per, of_b = row.b->record->time->per;
  // A case of two runs is itself: a solve that needs fewer iterations now is faster.
  const auto times = paired_ ? compared_times(*row.a, *row.b) : times_as_timed(*row.a, *row.b);
  if (!times && of_a == of_b)
    return alone("no time per iteration: a solve did not report its number of iterations", row.b->record->id);
  if (!times)
    return alone(fmt::format("timed per {}{} and per {}{}", name_of(of_a), in_a, name_of(of_b), in_b),
                 row.b->record->id);
  row.times = *times;
  if (!paired_) {
    row.interval = ratio_range(process_medians(*row.a->record->time), process_medians(*row.b->record->time));
  } else if (const auto interval = compared_ratio(*row.a, *row.b)->interval) {
    row.interval = Interval{interval->low, interval->high};
    row.coverage = interval->coverage;
  }
  row.reported = reported_by_both(*row.a->record, *row.b->record);
  comparison_.rows.push_back(std::move(row));
}

void ComparisonBuilder::alone(const std::string& why, const std::string& name) {
  const auto [place, fresh] = unmatched_.try_emplace(why, comparison_.unmatched.size());
  if (fresh) comparison_.unmatched.push_back({.why = why, .cases = {}});
  auto& cases = comparison_.unmatched[place->second].cases;
  if (cases.empty() || cases.back() != name) cases.push_back(name);  // a base stands on many sides
}

Comparison ComparisonBuilder::finish() {
  if (comparison_.rows.empty()) {
    std::string why;
    for (const auto& unmatched : comparison_.unmatched)
      why += fmt::format("; {}: {}", unmatched.why, shortened(unmatched.cases, 1));
    throw NotComparable("nothing to compare" + why);
  }
  std::unordered_map<std::string, std::size_t> order;
  for (const auto& row : comparison_.rows) order.try_emplace(row.group, order.size());
  std::ranges::stable_sort(comparison_.rows, {}, [&](const CompareRow& row) { return order.at(row.group); });
  std::map<std::string, std::size_t> means;
  for (const auto& row : comparison_.rows) {
    const auto [place, fresh] = means.try_emplace(row.value, comparison_.means.size());
    if (fresh) comparison_.means.push_back({.value = row.value, .ratio = 0, .rows = 0});
    auto& mean = comparison_.means[place->second];
    mean.ratio += std::log(row.ratio());
    ++mean.rows;
  }
  for (auto& mean : comparison_.means) mean.ratio = std::exp(mean.ratio / static_cast<double>(mean.rows));
  return std::move(comparison_);
}

}  // namespace uotbench
