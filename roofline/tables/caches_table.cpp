// Misses of the caches and memory traffic, modelled against counted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "results/base/units.hpp"
#include "roofline/model/traffic.hpp"
#include "roofline/tables/counter_notes.hpp"
#include "roofline/tables/counter_rows.hpp"

namespace uotbench {
namespace {

namespace names = counter_names;

constexpr std::size_t doubts_shown = 10;

std::string rate_text(double rate) {
  return rate > 0 && rate < 0.00005 ? "<0.01%" : fmt::format("{:.2f}%", 100 * rate);
}

class CachesTable {
 public:
  explicit CachesTable(const CountersOf& run) : run_(run) {
    add_counter(names::l1_accesses, "L1D accesses");
    for (const std::string cache : counted_caches) {
      add_counter(cache + ".misses", cache + " misses");
      if (run.has_rate(cache))
        columns_.push_back(
            {cache + " rate", [this, cache](const Record& record) { return rate(record, cache); }});
    }
    add_counter(names::dram_read, "DRAM read");
    add_counter(names::dram_written, "DRAM written");
    if (run.has(names::dram_read) && run.has(names::dram_written))
      columns_.push_back({ratio_title, [this](const Record& record) { return ratio(record); }});
  }
  CachesTable(const CachesTable&) = delete;
  CachesTable& operator=(const CachesTable&) = delete;

  ReportTable made() {
    ReportTable table{.title = "Counters", .about = {}, .columns = {"case"}, .rows = {}};
    for (const auto& column : columns_) table.columns.push_back(column.title);
    table.words.push_back(table.columns.size());
    table.columns.push_back("source");
    add_rows(table, run_.view, [&](const CaseView& member) {
      own_ = Origins();
      std::vector<std::string> row{member.label};
      for (const auto& column : columns_) row.push_back(column.cell(*member.record));
      row.push_back(own_.text());
      sources_.add(own_);
      return row;
    });
    table.about = about();
    add_notes(table, reasons_.texts("no value of "));
    add_notes(table, remarks_.texts(""));
    if (elements_) table.notes.push_back(of_elements);
    if (counted_by_.size() > 1)
      table.notes.push_back(fmt::format(
          "rows have different sources ({}): compare those of one; --counters {}:cache takes one for all",
          fmt::join(counted_by_, ", "), *counted_by_.rbegin()));
    for (std::size_t i = 0; i < std::min(doubts_.size(), doubts_shown); ++i)
      table.notes.push_back("! " + doubts_[i]);
    if (doubts_.size() > doubts_shown)
      table.notes.push_back(fmt::format("! and {} more; --json has all", doubts_.size() - doubts_shown));
    return table;
  }

 private:
  static constexpr const char* ratio_title = "counted/ modelled";

  struct Column {
    std::string title;
    std::function<std::string(const Record& record)> cell;
  };

  void add_counter(const std::string& name, const std::string& title) {
    if (run_.has(name))
      columns_.push_back({title, [this, name](const Record& record) { return count(record, name); }});
  }

  std::string count(const Record& record, const std::string& name) {
    const Counter counter = counter_or_why(record, name);
    if (counter.value) own_.add(name, counter.origin);
    if (counter.value && name == names::l1_misses) counted_by_.insert(counter.origin.source);
    simulated_ |= counter.origin.kind == "simulated";
    if (!counter.note.empty()) remarks_.add(name, counter.note);
    if (!counter.value) reasons_.add(name, counter.reason);
    return !counter.value              ? "-"
           : name.starts_with("DRAM.") ? format_bytes(*counter.value)
                                       : format_count(*counter.value);
  }

  std::string rate(const Record& record, const std::string& cache) {
    const Counter rate = miss_rate(record, cache);
    // Of counts without values the reasons are told already.
    if (!rate.value && counted(record, cache + ".misses") && counted(record, names::l1_accesses))
      reasons_.add(cache + " rate", rate.reason);
    elements_ |= rate.value && counts_elements(rate.origin);
    return rate.value ? rate_text(*rate.value) : "-";
  }

  std::string ratio(const Record& record) {
    const Traffic bytes = traffic_of(*run_.view.run, record);
    if (!bytes.ratio && counted(record, names::dram_read) && counted(record, names::dram_written))
      reasons_.add(ratio_title, bytes.reason);
    if (!bytes.doubt.empty()) doubts_.push_back(fmt::format("{}: {}", record.id, bytes.doubt));
    return bytes.ratio ? fmt::format("{:.2f}{}", *bytes.ratio, bytes.doubt.empty() ? "" : " !") : "-";
  }

  std::string about() const {
    std::string text = fmt::format("Counted per iteration. Source: {}.", sources_.alone());
    if (simulated_) {
      const std::string geometry = geometry_of(run_.view.run->header);
      text += fmt::format(" Simulated caches{} start empty and count one iteration.",
                          geometry.empty() ? "" : " (" + geometry + ")");
    }
    const auto has = [&](const std::string& part) {
      return std::ranges::any_of(columns_,
                                 [&](const Column& column) { return column.title.ends_with(part); });
    };
    if (has(" rate")) text += " Rates are misses per access of L1D.";
    if (has(ratio_title))
      text +=
          " Counted/modelled: bytes between memory and the last cache, write-backs included, over those of "
          "the "
          "work model.";
    return text;
  }

  const CountersOf& run_;
  std::vector<Column> columns_;
  Reasons reasons_, remarks_;
  Origins own_, sources_;  ///< of the row that is being made; of the table
  std::vector<std::string> doubts_;
  std::set<std::string> counted_by_;  ///< sources of misses
  bool elements_ = false, simulated_ = false;
};

}  // namespace

ReportTable caches_table(const CountersOf& run) { return CachesTable(run).made(); }

}  // namespace uotbench
