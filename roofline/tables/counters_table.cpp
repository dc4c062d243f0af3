#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/counters.hpp"
#include "results/view/metrics.hpp"
#include "roofline/model/traffic.hpp"
#include "roofline/tables/counter_table.hpp"
#include "roofline/tables/tables.hpp"

namespace uotbench {
namespace {

Json json_of(const Traffic& traffic) {
  return {{"ratio", traffic.ratio ? Json(*traffic.ratio) : Json(nullptr)},
          {"reason", traffic.ratio ? Json(nullptr) : Json(traffic.reason)},
          {"counted", traffic.ratio ? Json(traffic.counted) : Json(nullptr)},
          {"modelled", traffic.modelled},
          {"source", traffic.origin.source},
          {"kind", traffic.origin.kind},
          {"doubt", traffic.doubt.empty() ? Json(nullptr) : Json(traffic.doubt)}};
}

}  // namespace

void put_on_one_line(Table& table) {
  const auto put = [](std::string& text) { text = on_one_line(text); };
  put(table.title), put(table.about);
  for (auto& column : table.columns) put(column.title);
  for (auto& row : table.rows)
    for (auto& cell : row) put(cell.text), put(cell.source);
  for (auto& note : table.notes) put(note);
}

CountersOf::CountersOf(const RunView& run) : view(run), metrics(run.run->header, run.run->records) {
  for (auto& name : counter_names_in(run.run->records)) {
    const auto& all = counter_names::all;
    auto& its = std::ranges::find(all, name) != std::end(all) ? known : is_of_gpu(name) ? gpu : others;
    its.push_back(std::move(name));
  }
  std::set<std::string> variants;
  for (const auto& record : run.run->records)
    if (counted(record, counter_names::l1_accesses)) variants.insert(record.variant);
  several_variants = variants.size() > 1;
}

bool CountersOf::has(const std::string& name) const { return std::ranges::find(known, name) != known.end(); }

bool CountersOf::has_rate(const std::string& cache) const {
  return has(cache + ".misses") && has(counter_names::l1_accesses) && !hides_rate(cache);
}

bool CountersOf::hides_rate(const std::string& cache) const {
  bool hidden = false;
  for (const auto& record : view.run->records) {
    const Counter rate = miss_rate(record, cache);
    if (rate.value && !hides(rate)) return false;
    hidden |= rate.value.has_value();
  }
  return hidden;
}

bool CountersOf::has_traffic() const {
  return has(counter_names::dram_read) && has(counter_names::dram_written);
}

bool has_counters(const RunView& view) { return std::ranges::any_of(view.run->records, was_counted); }

void require_counters(const RunView& view) {
  if (!has_counters(view))
    throw UsageError(fmt::format(
        "{}: no counters: it was run without; uotbench run with --counters auto counts what can be "
        "counted here",
        view.run->path.string()));
}

namespace {

/// The lines, or in a note of the last table how to have them.
void add_lines(std::vector<Table>& tables, const CountersOf& run, Lines lines) {
  std::size_t cases = 0;
  for (const auto& group : run.view.groups)
    for (const auto& member : group.cases) cases += has_lines(*member.record);
  if (cases > 0 && (lines == Lines::all || cases <= few_cases))
    tables.push_back(gpu_lines_table(run));
  else if (cases > 0)
    tables.back().notes.push_back(fmt::format(
        "{} cases have their kernels' lines: uotbench show {} --counters --filter RE shows those of "
        "up to {}, --lines of all",
        cases, run.view.run->path.string(), few_cases));
}

}  // namespace

std::vector<Table> counters_tables(const RunView& view) { return counters_tables(view, Document()); }

std::vector<Table> counters_tables(const RunView& view, const Document& over, Lines lines) {
  require_counters(view);
  const CountersOf run(view);
  std::vector<Table> tables;
  if (!run.known.empty()) tables.push_back(caches_table(run));
  if (auto table = reductions_table(run, Baselines(view, over));
      table.columns.size() > 1 && !table.rows.empty())
    tables.push_back(std::move(table));
  if (!run.gpu.empty()) {
    tables.push_back(gpu_table(run));
    add_lines(tables, run, lines);
  }
  const bool metrics =
      std::ranges::any_of(run.metrics.all(), [](const Metric& metric) { return !is_of_gpu(metric.name); });
  if (!run.others.empty() || metrics) tables.push_back(others_table(run));
  const auto left_out =
      std::ranges::count_if(view.run->records, [](const Record& record) { return !has_row(record); });
  if (left_out > 0)
    tables.front().notes.push_back(
        fmt::format("left out: {} case{} without counters; uotbench show prints why", left_out,
                    left_out == 1 ? "" : "s"));
  add_notes(tables.back(), run.metrics.warnings());
  for (auto& table : tables) put_on_one_line(table);
  return tables;
}

Json counters_json(const RunView& view) { return counters_json(view, nullptr); }

Json counters_json(const RunView& view, const Json& over) {
  require_counters(view);
  const Baselines bases(view, over);
  const Metrics metrics(view.run->header, view.run->records);
  const auto all = counter_names_in(view.run->records);
  Json cases = Json::array();
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      const Record& record = *member.record;
      Json counters = Json::object(), rates = Json::object(), derived = Json::object();
      for (const auto& name : all)
        if (record.counters.contains(name)) counters[name] = to_json(counter_or_why(record, name));
      Json fewer = nullptr;
      const Record* const base = bases.of(member);
      if (base && base != &record) fewer = {{"than", base->id}};
      for (const std::string cache : counted_caches) {
        const std::string name = cache + ".misses";
        if (!counters.contains(name)) continue;
        rates[cache] = to_json(miss_rate(record, cache));
        if (fewer.is_null()) continue;
        fewer[name] = to_json(reduction(counter_or_why(record, name), counter_or_why(*base, name)));
        fewer[cache + ".rate"] = to_json(rate_reduction(record, *base, cache));
      }
      for (const auto& metric : metrics.all()) derived[metric.name] = to_json(value_of(metric, record));
      cases.push_back({{"id", record.id},
                       {"group", group.title},
                       {"status", outcome_of(record)},
                       {"counters", std::move(counters)},
                       {"rates", std::move(rates)},
                       {"fewer", std::move(fewer)},
                       {"metrics", std::move(derived)},
                       {"traffic", json_of(traffic_of(*view.run, record))}});
    }
  return {{"baseline", bases.text()}, {"warnings", metrics.warnings()}, {"cases", std::move(cases)}};
}

}  // namespace uotbench
