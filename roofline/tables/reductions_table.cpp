// How many fewer misses than a baseline, and how much lower rates.
#include <fmt/format.h>

#include <cmath>

#include "roofline/tables/counter_notes.hpp"
#include "roofline/tables/counter_rows.hpp"

namespace uotbench {

ReportTable reductions_table(const CountersOf& run, const Baselines& bases) {
  ReportTable table{.title = "Misses against " + bases.text(),
                    .about =
                        "Misses: how many fewer an iteration has than that of the baseline. Rates: how "
                        "much lower misses per access of L1D are.",
                    .columns = {"case"},
                    .rows = {}};
  std::vector<std::string> shown;
  for (const std::string cache : counted_caches) {
    if (!run.has(cache + ".misses")) continue;
    shown.push_back(cache);
    table.columns.push_back(cache + " misses");
    if (run.has_rate(cache)) table.columns.push_back(cache + " rate");
  }
  Reasons reasons;
  Origins sources;
  bool elements = false;
  add_rows(table, run.view, [&](const CaseView& member) -> std::vector<std::string> {
    const Record* const base = bases.of(member);
    if (base == member.record || !was_counted(*member.record)) return {};
    std::vector<std::string> row{member.label};
    const auto add = [&](const std::string& title, const Counter& own, const Counter& of_base,
                         const char* less, const char* more) {
      Counter change = reduction(own, of_base);
      if (!base && change.reason != own.reason)
        change.reason = "no baseline of its problem, worker, threads, cache and place was counted";
      if (!change.value && own.value) reasons.add(title, change.reason);
      const double value = change.value.value_or(0);
      if (change.value) sources.add(title, without_share(change.origin));
      row.push_back(!change.value ? "-"
                    : std::fabs(value) < 0.0005
                        ? "equal"
                        : fmt::format("{:.1f}% {}", 100 * std::fabs(value), value > 0 ? less : more));
    };
    for (const auto& cache : shown) {
      const std::string name = cache + ".misses";
      add(cache + " misses", counter_or_why(*member.record, name),
          base ? counter_or_why(*base, name) : Counter(), "fewer", "more");
      if (!run.has_rate(cache)) continue;
      const Counter rate = miss_rate(*member.record, cache);
      add(cache + " rate", rate, base ? miss_rate(*base, cache) : Counter(), "lower", "higher");
      elements |= row.back() != "-" && counts_elements(rate.origin);
    }
    return row;
  });
  table.about += fmt::format(" Source: {}.", sources.alone());
  add_notes(table, reasons.texts("no value of "));
  if (elements) table.notes.push_back(of_elements);
  return table;
}

}  // namespace uotbench
