#include "results/view/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/record/run_file/header_json.hpp"
#include "results/record/run_header.hpp"
#include "results/view/compare_rows.hpp"

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

}  // namespace uotbench
