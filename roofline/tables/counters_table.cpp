// All tables of counters together, and as JSON; the one of misses of the caches and memory traffic, modelled
// against counted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/record/counters.hpp"
#include "results/view/metrics.hpp"
#include "roofline/model/traffic.hpp"
#include "roofline/tables/counter_table.hpp"
#include "roofline/tables/tables.hpp"

namespace uotbench {
namespace {

namespace names = counter_names;

constexpr std::size_t doubts_shown = 10;

std::string rate_text(double rate) {
  return rate > 0 && rate < 0.00005 ? "<0.01%" : fmt::format("{:.2f}%", 100 * rate);
}

constexpr const char* ratio_title = "counted/ modelled";

/// What is to be said of all rows.
struct Said {
  bool simulated = false;
  std::set<std::string> counted_by;  ///< sources of misses
  std::vector<std::string> doubts;
};

std::string about(const CountersOf& run, const CounterTable& table, bool simulated) {
  std::string text = fmt::format("Counted per iteration. Source: {}.", table.sources());
  if (simulated) {
    const std::string geometry = geometry_of(run.view.run->header.caches);
    text += fmt::format(" Simulated caches{} start empty and count one iteration.",
                        geometry.empty() ? "" : " (" + geometry + ")");
  }
  if (std::ranges::any_of(counted_caches, [&](const char* cache) { return run.has_rate(cache); }))
    text += " Rates are misses per access of L1D.";
  if (run.has_traffic())
    text +=
        " Counted/modelled: bytes between memory and the last cache, write-backs included, over those of the "
        "work model.";
  return text;
}

void add_counter(CounterTable& table, const CountersOf& run, Said& said, const std::string& name,
                 const std::string& title) {
  if (!run.has(name)) return;
  const auto value = [&table, &said, name](const CaseView& member) {
    Counter counter = table.read(*member.record, name);
    if (counter.value && name == names::l1_misses) said.counted_by.insert(counter.origin.source);
    said.simulated |= counter.origin.kind == "simulated";
    return counter;
  };
  const bool bytes = name.starts_with("DRAM.");
  table.column({title, value, [bytes](const Counter& counter) {
                  return bytes ? format_bytes(*counter.value) : format_count(*counter.value);
                }});
}

void add_rate(CounterTable& table, const CountersOf& run, const std::string& cache) {
  const auto value = [&table, &run, cache](const CaseView& member) {
    const Record& record = *member.record;
    Counter rate = miss_rate(record, cache);
    // Of counts without values the reasons are told already.
    if (!rate.value && counted(record, cache + ".misses") && counted(record, names::l1_accesses))
      table.tell_reason(cache + " rate", rate.reason);
    if (rate.value && run.hides(rate)) {
      table.tell_reason(cache + " rate", of_elements);
      rate.value.reset();
    }
    if (rate.value && counts_elements(rate.origin)) table.tell_elements();
    return rate;
  };
  table.column({cache + " rate", value, [](const Counter& rate) { return rate_text(*rate.value); }});
}

void add_traffic(CounterTable& table, const Run& run, Said& said) {
  const auto value = [&table, &run, &said](const CaseView& member) {
    const Record& record = *member.record;
    const Traffic bytes = traffic_of(run, record);
    if (!bytes.ratio && counted(record, names::dram_read) && counted(record, names::dram_written))
      table.tell_reason(ratio_title, bytes.reason);
    if (!bytes.doubt.empty()) said.doubts.push_back(fmt::format("{}: {}", record.id, bytes.doubt));
    return Counter{.value = bytes.ratio, .origin = bytes.origin, .note = bytes.doubt};
  };
  table.column({ratio_title, value, [](const Counter& ratio) {
                  return ratio.note.empty()
                             ? Table::Cell(format_fixed(*ratio.value, 2))
                             : Table::Cell(format_fixed(*ratio.value, 2) + " !", Style::warning);
                }});
}

// How many fewer misses than a baseline, and how much lower rates.

/// What is held against the same of the baseline.
using CounterOf = std::function<Counter(const Record& record)>;
using Change = std::function<Counter(const Record& own, const Record& base)>;

void add_reduction(CounterTable& table, const Baselines& bases, const std::string& title,
                   const CounterOf& quantity, const Change& change_of, const char* less, const char* more) {
  const auto value = [&table, &bases, title, quantity, change_of](const CaseView& member) {
    const Record* const base = bases.of(member);
    const Counter own = quantity(*member.record);
    Counter change = base ? change_of(*member.record, *base) : reduction(own, Counter());
    if (!base && change.reason != own.reason)
      change.reason = "no baseline of its problem, worker, threads, cache and place was counted";
    if (!change.value && own.value) table.tell_reason(title, change.reason);
    if (change.value) table.tell_source(title, change.origin);
    if (change.value && title.ends_with(" rate") && counts_elements(own.origin)) table.tell_elements();
    return change;
  };
  table.column({title, value, [less, more](const Counter& change) -> std::string {
                  const double fewer = *change.value;
                  if (std::fabs(fewer) < 0.0005) return "equal";
                  return fmt::format("{:.1f}% {}", 100 * std::fabs(fewer), fewer > 0 ? less : more);
                }});
}

}  // namespace

Table caches_table(const CountersOf& run) {
  CounterTable table("Counters");
  Said said;
  add_counter(table, run, said, names::l1_accesses, "L1D accesses");
  for (const std::string cache : counted_caches) {
    add_counter(table, run, said, cache + ".misses", cache + " misses");
    if (run.has_rate(cache))
      add_rate(table, run, cache);
    else if (run.hides_rate(cache))
      table.tell_reason(cache + " rate", of_elements);
  }
  add_counter(table, run, said, names::dram_read, "DRAM read");
  add_counter(table, run, said, names::dram_written, "DRAM written");
  if (run.has_traffic()) add_traffic(table, *run.view.run, said);
  table.add_rows_with_sources(run.view, [](const CaseView&) { return true; });
  Table made = table.made(about(run, table, said.simulated));
  if (const std::string doubt = doubtful_simulated_caches(run.view.run->header);
      said.simulated && !doubt.empty())
    made.notes.push_back(doubt);
  if (said.counted_by.size() > 1)
    made.notes.push_back(fmt::format(
        "rows have different sources ({}): compare those of one; --counters {}:cache takes one for all",
        fmt::join(said.counted_by, ", "), *said.counted_by.rbegin()));
  for (std::size_t i = 0; i < std::min(said.doubts.size(), doubts_shown); ++i)
    made.notes.push_back("! " + said.doubts[i]);
  if (said.doubts.size() > doubts_shown)
    made.notes.push_back(fmt::format("! and {} more; --json has all", said.doubts.size() - doubts_shown));
  return made;
}

Table reductions_table(const CountersOf& run, const Baselines& bases) {
  CounterTable table("Misses against " + bases.text());
  bool rates = false;
  for (const std::string cache : counted_caches) {
    if (!run.has(cache + ".misses")) continue;
    const auto misses = [cache](const Record& record) { return counter_or_why(record, cache + ".misses"); };
    const auto fewer = [misses](const Record& own, const Record& base) {
      return reduction(misses(own), misses(base));
    };
    add_reduction(table, bases, cache + " misses", misses, fewer, "fewer", "more");
    if (!run.has_rate(cache)) continue;
    rates = true;
    const auto rate = [cache](const Record& record) { return miss_rate(record, cache); };
    const auto lower = [cache](const Record& own, const Record& base) {
      return rate_reduction(own, base, cache);
    };
    add_reduction(table, bases, cache + " rate", rate, lower, "lower", "higher");
  }
  table.add_rows(run.view, [&](const CaseView& member) {
    return bases.of(member) != member.record && was_counted(*member.record);
  });
  return table.made(
      fmt::format("Misses: how many fewer an iteration has than that of the baseline.{} Source: {}.",
                  rates ? " Rates: how much lower misses per access of L1D are." : "", table.sources()));
}

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
