#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/claims/claims.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/view/metrics.hpp"

namespace uotbench {
namespace {

std::string set_of(const std::string& name) { return name.substr(0, name.find('.')); }

bool has(const Record& record, const ObjectDocument& axes) {
  return std::ranges::all_of(axes.names(), [&](const std::string& axis) {
    return record.point.contains(axis) && record.point.text(axis) == axes.text(axis);
  });
}

bool is_one_of(const Record& record, const ClaimCases& cases, const ObjectDocument& where) {
  return (cases.variant.empty() || record.variant == cases.variant) &&
         (cases.worker.empty() || record.worker == cases.worker) && has(record, cases.axes) &&
         has(record, where);
}

/// " with M:4 N:8"; empty where there are none.
std::string words_of(const ObjectDocument& axes) {
  std::string all;
  for (const auto& axis : axes.names())
    all += fmt::format("{} {}:{}", all.empty() ? " with" : "", axis, axes.text(axis));
  return all;
}

struct ClaimRow {
  std::map<std::string, const Record*> records;  ///< by the name of the cases
  std::optional<double> printed = {};
};

double middle_of(std::vector<double> values) { return median(values); }

/// Ranks from 1; equal values share the mean of theirs (Spearman's rho with ties is Pearson's of these).
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    const auto below = std::ranges::count_if(values, [&](double other) { return other < value; });
    const auto equal = std::ranges::count(values, value);
    ranks.push_back(static_cast<double>(below) + (static_cast<double>(equal) + 1) / 2);
  }
  return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto mean = [](const std::vector<double>& of) {
    return std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(of.size());
  };
  const double ma = mean(a), mb = mean(b);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - ma) * (b[i] - mb);
    aa += (a[i] - ma) * (a[i] - ma);
    bb += (b[i] - mb) * (b[i] - mb);
  }
  if (a.size() < 3 || aa == 0 || bb == 0)
    throw Expression::NoValue("rank wants three rows or more, and values that differ");
  return ab / std::sqrt(aa * bb);
}

/// What names stand for: of all rows, or of the one that a function is at.
class RowValues : public Expression::Values {
 public:
  /// `round`: of the times, those of this process alone; absent: of all.
  RowValues(const Expression& value, const std::vector<ClaimRow>& rows, const MachineNumbers& machine,
            std::optional<std::size_t> round)
      : value_(value), rows_(rows), machine_(machine), round_(round) {}

  double number(std::size_t name) const override {
    if (!at_ && rows_.size() != 1)
      throw Expression::NoValue(fmt::format("{} is {} cases: say max, min, mean, median or rank of it",
                                            value_.names()[name], rows_.size()));
    return of(rows_[at_.value_or(0)], value_.names()[name]);
  }
  std::string shown(std::size_t name) const override { return fmt::format("{:.6g}", number(name)); }

  double call(const Expression& expression, const Expression::Node& node) const override {
    const auto over_rows = [&](std::size_t part) {
      std::vector<double> values;
      RowValues one(value_, rows_, machine_, round_);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        one.at_ = i;
        values.push_back(expression.number(part, one));
      }
      return values;
    };
    const auto values = over_rows(node.left);
    if (node.text == "max") return *std::ranges::max_element(values);
    if (node.text == "min") return *std::ranges::min_element(values);
    if (node.text == "median") return middle_of(values);
    if (node.text == "rank") return correlation(ranks_of(values), ranks_of(over_rows(node.right)));
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }

 private:
  double of(const ClaimRow& row, const std::string& name) const {
    if (name == "printed") return *row.printed;
    const Record& record = *row.records.at(set_of(name));
    const std::string what = name.substr(set_of(name).size() + 1);
    const Metric metric{.name = what, .formula = Formula(what, "claim"), .machine = machine_};
    const Counter counter = value_of(metric, round_ ? only_round(record) : record);
    if (!counter.value) throw Expression::NoValue(fmt::format("{}: {}", record.id, counter.reason));
    return *counter.value;
  }
  Record only_round(Record record) const {
    if (record.time) record.time->processes = {record.time->processes[*round_]};
    return record;
  }

  const Expression& value_;
  const std::vector<ClaimRow>& rows_;
  const MachineNumbers& machine_;
  std::optional<std::size_t> round_;
  std::optional<std::size_t> at_ = {};
};

class RowMaker {
 public:
  RowMaker(const PrintedClaim& claim, const Expression& value, const ClaimFile& file, const Run& run)
      : claim_(claim), run_(run), roles_(run.header) {
    for (const auto& name : value.names()) {
      if (name == "printed") tabled_ = true;
      const auto* cases = file.cases_of(claim, set_of(name));
      if (cases && std::ranges::find(sets_, cases) == sets_.end()) sets_.push_back(cases);
    }
  }

  std::vector<ClaimRow> rows(ClaimValue& measured) {
    std::map<std::string, ClaimRow> all;
    std::vector<std::string> order;
    for (const auto* cases : sets_)
      if (!collect(*cases, all, order, measured)) return {};
    std::vector<ClaimRow> whole;
    for (const auto& key : order) {
      ClaimRow& row = all.at(key);
      if (row.records.size() < sets_.size()) {
        const auto why = why_not_.find(key);
        measured.left_out.push_back(why == why_not_.end() ? key : fmt::format("{} ({})", key, why->second));
        continue;
      }
      if (tabled_) row.printed = printed_of(row);
      if (!tabled_ || row.printed) whole.push_back(row);
    }
    if (whole.empty())
      measured.reason =
          why_not_.empty() ? "no problem has all the cases that it compares" : why_not_.begin()->second;
    return whole;
  }

 private:
  /// False: there are none that could be used, and `measured` says why.
  bool collect(const ClaimCases& cases, std::map<std::string, ClaimRow>& all, std::vector<std::string>& order,
               ClaimValue& measured) {
    bool found = false;
    for (const auto& record : run_.records) {
      if (!is_one_of(record, cases, claim_.where)) continue;
      found = true;
      const std::string key = key_of(record);
      if (record.status != Status::ok) {
        why_not_.try_emplace(
            key, fmt::format("{}: {}", name_of(record.status), on_one_line(record.reason.value_or("-"))));
        continue;
      }
      const auto [place, fresh] = all.try_emplace(key);
      if (fresh) order.push_back(key);
      for (const auto& [name, one] : place->second.records)
        if (const auto file = changed_input(one->input_files, record.input_files); !file.empty()) {
          measured.reason =
              fmt::format("{} and {} were measured with different contents of {}", one->id, record.id, file);
          return false;
        }
      const auto [other, alone] = place->second.records.try_emplace(cases.name, &record);
      if (alone) continue;
      measured.reason =
          fmt::format("{} and {} are both \"{}\": name the axis that distinguishes them in \"each\"",
                      other->second->id, record.id, cases.name);
      return false;
    }
    if (!found) {
      measured.unmeasured = true;
      measured.reason =
          fmt::format("{} holds no case of {}{}", run_.path.string(), cases.text(), words_of(claim_.where));
    }
    return found;
  }

  /// What all its cases have in common: an axis that some of them fix is not.
  std::string key_of(const Record& record) const {
    std::vector<std::string> parts;
    for (const auto& axis : record.point.names()) {
      const bool fixed =
          std::ranges::any_of(sets_, [&](const auto* cases) { return cases->axes.contains(axis); });
      const bool telling = claim_.each.empty() ? roles_.is_problem(family_of(record), axis)
                                               : std::ranges::find(claim_.each, axis) != claim_.each.end();
      if (telling && !fixed) parts.push_back(axis + ':' + record.point.text(axis));
    }
    std::ranges::sort(parts);  // a family's variants need not tell their axes in one order
    return fmt::format("{}", fmt::join(parts, " "));
  }

  std::optional<double> printed_of(const ClaimRow& row) const {
    for (const auto& printed : claim_.table) {
      bool same = true;
      for (std::size_t i = 0; i < claim_.table_axes.size(); ++i)
        same = same && has(*row.records.begin()->second, {{claim_.table_axes[i], printed[i]}});
      if (same) return printed.back().number();
    }
    return std::nullopt;
  }

  const PrintedClaim& claim_;
  const Run& run_;
  AxisRoles roles_;
  std::vector<const ClaimCases*> sets_;
  bool tabled_ = false;
  std::map<std::string, std::string> why_not_;  ///< of a row
};

/// Rounds that all timed cases have; what was counted has none.
std::size_t rounds_of(const Expression& value, const std::vector<ClaimRow>& rows) {
  std::size_t least = 0;
  for (const auto& name : value.names()) {
    const std::string what = name.substr(name.find('.') + 1);
    if (what != "time.seconds" && !what.starts_with(metric_names::phase)) continue;
    for (const auto& row : rows) {
      const auto& record = *row.records.at(set_of(name));
      const std::size_t rounds = record.time ? record.time->processes.size() : 0;
      least = least == 0 ? rounds : std::min(least, rounds);
    }
  }
  return least;
}

}  // namespace

ClaimValue measure(const PrintedClaim& claim, const Expression& value, const ClaimFile& file,
                   const Run& run) {
  ClaimValue measured;
  // Numbers that were printed, too, need no record.
  const bool constant = value.names().empty();
  const auto rows = constant ? std::vector<ClaimRow>{} : RowMaker(claim, value, file, run).rows(measured);
  if (rows.empty() && !constant) return measured;
  for (const auto& row : rows)
    for (const auto& [name, record] : row.records) measured.records.push_back(record);
  const MachineNumbers machine = machine_numbers(run.header.machine);
  try {
    measured.value = value.number(value.root(), RowValues(value, rows, machine, {}));
    std::vector<double> by_round;
    for (std::size_t round = 0; round < rounds_of(value, rows); ++round)
      by_round.push_back(value.number(value.root(), RowValues(value, rows, machine, round)));
    measured.interval = ratios_interval(by_round);
    if (measured.interval) {
      // Of each round, max takes the row that is largest in it: all of them may lie above the whole's.
      measured.interval->low = std::min(measured.interval->low, *measured.value);
      measured.interval->high = std::max(measured.interval->high, *measured.value);
    }
  } catch (const Expression::NoValue& why) {
    measured.value = {};
    measured.reason = why.what();
  }
  return measured;
}

}  // namespace uotbench
