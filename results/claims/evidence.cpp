#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/claims/claims.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/timing.hpp"
#include "results/view/speedup.hpp"

namespace uotbench {
namespace {

constexpr double far_from_limit = 3;     // a baseline that wastes two thirds of its time is no baseline
constexpr double same_objective = 1e-3;  // relative
constexpr double same_spread = 1e-3;     // relative: measured spreads differ by tens of per cent
constexpr std::size_t spreads_wanted = 4;

/// What spreadsheets begin a CSV file with.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// The fields of the row that begins at `at`, which moves to the next one; `line` grows by the ends of lines,
/// of which a quoted field may have some.
std::vector<std::string> fields_of(const std::string& text, std::size_t& at, std::size_t& line) {
  std::vector<std::string> fields(1);
  for (bool quoted = false; at < text.size(); ++at) {
    const char c = text[at];
    line += c == '\n';
    if (c == '"' && quoted && at + 1 < text.size() && text[at + 1] == '"') {
      fields.back() += text[++at];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c == '\n' && !quoted) {
      ++at;
      break;
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

std::optional<double> number_in_field(const std::string& field, const std::string& where) {
  if (field.empty()) return std::nullopt;
  double value = 0;
  const auto [rest, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || rest != field.data() + field.size())
    throw UsageError(fmt::format("{}: expected a number or nothing, got \"{}\"", where, cut(field, 60)));
  return value;
}

/// What a number may be: times and limits are above 0, the others not below it, an objective is any that is
/// finite.
void require_range(std::optional<double> value, const std::string& of, const std::string& where) {
  if (!value) return;
  const bool above = of == "time" || of == "limit", any = of == "objective";
  if (std::isfinite(*value) && (any || (above ? *value > 0 : *value >= 0))) return;
  throw UsageError(fmt::format("{}: expected {}, got {:g}", where,
                               any     ? "a finite number"
                               : above ? "a number above 0"
                                       : "a number of at least 0",
                               *value));
}

bool is_blank(const std::vector<std::string>& fields) {
  return fields.size() == 1 && fields[0].find_first_not_of(" \t") == std::string::npos;
}

bool differ(double a, double b, double by) {
  return std::fabs(a - b) > by * std::max(std::fabs(a), std::fabs(b));
}

void unequal(const char* what, std::optional<double> EvidenceRow::*member, double by,
             const std::vector<const EvidenceRow*>& rows, std::vector<std::string>& doubts) {
  const EvidenceRow* first = nullptr;
  for (const auto* row : rows) {
    if (!(row->*member)) continue;
    if (!first) first = row;
    if (!differ(*(first->*member), *(row->*member), by)) continue;
    doubts.push_back(fmt::format("unequal work: {}{}: {} {:g} of {}, {:g} of {}", row->problem,
                                 row->problem.empty() ? "the table" : "", what, *(first->*member),
                                 first->name, *(row->*member), row->name));
    return;
  }
}

void constant_spread(const std::vector<EvidenceRow>& rows, std::vector<std::string>& doubts) {
  std::vector<double> spreads;
  for (const auto& row : rows)
    if (row.spread && row.time && *row.time > 0 && *row.spread > 0)
      spreads.push_back(*row.spread / *row.time);
  if (spreads.size() < spreads_wanted) return;
  const auto [least, most] = std::ranges::minmax(spreads);
  if (!differ(least, most, same_spread))
    doubts.push_back(fmt::format(
        "constant spread: standard deviation over time is {:.3g} in all {} rows: no measurement does that",
        least, spreads.size()));
}

}  // namespace

std::vector<EvidenceRow> evidence_from_csv(const std::string& text, const std::string& name) {
  std::size_t at = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0, next = 1, line = 1;
  auto titles = fields_of(text, at, next);
  for (; is_blank(titles) && at < text.size(); titles = fields_of(text, at, next)) line = next;
  const auto column = [&](std::initializer_list<const char*> names) {
    const auto found = std::ranges::find_if(
        titles, [&](const std::string& title) { return std::ranges::find(names, title) != names.end(); });
    return static_cast<std::size_t>(found - titles.begin());
  };
  const std::size_t of_name = column({"name", "method"}), of_time = column({"time"});
  if (of_name == titles.size() || of_time == titles.size())
    throw UsageError(fmt::format(
        "{}: line {}: expected the columns name and time, and optionally problem, std, iterations, "
        "objective, hardware, limit and baseline, got {}",
        name, line, shortened(titles, 12)));
  std::vector<EvidenceRow> rows;
  while (at < text.size()) {
    line = next;
    const auto fields = fields_of(text, at, next);
    if (is_blank(fields)) continue;
    if (fields.size() != titles.size())
      throw UsageError(
          fmt::format("{}: line {}: expected {} fields, got {}", name, line, titles.size(), fields.size()));
    const auto field = [&](std::initializer_list<const char*> names) {
      const std::size_t place = column(names);
      return place == titles.size() ? std::string() : fields[place];
    };
    const auto number = [&](const char* of) {
      const std::string where = fmt::format("{}: line {}, {}", name, line, of);
      const auto value = number_in_field(field({of}), where);
      require_range(value, of, where);
      return value;
    };
    const std::string baseline = field({"baseline"});
    rows.push_back({.name = fields[of_name],
                    .problem = field({"problem"}),
                    .hardware = field({"hardware"}),
                    .time = number("time"),
                    .spread = number("std"),
                    .iterations = number("iterations"),
                    .objective = number("objective"),
                    .limit = number("limit"),
                    .baseline = baseline == "1" || baseline == "yes"});
  }
  if (rows.empty()) throw UsageError(fmt::format("{}: holds no rows: expected some below the titles", name));
  return rows;
}

std::vector<EvidenceRow> evidence_of(const Run& run) {
  const AxisRoles roles(run.header);
  const Reference over(run.header.sweep.speedup_over());
  const std::string machine = run.header.machine.fingerprint();
  std::vector<EvidenceRow> rows;
  for (const auto& record : run.records) {
    if (record.status != Status::ok || !record.time) continue;
    EvidenceRow row{.name = record.id, .problem = {}, .hardware = record.machine.value_or(machine)};
    for (const auto& axis : record.point.names())
      if (roles.is_problem(family_of(record), axis))
        row.problem += fmt::format("{}:{} ", axis, record.point.text(axis));
    for (const auto& [file, content] : record.input_files)
      row.problem += fmt::format("{} ({}) ", file, content);
    const Summary time = summary_of(*record.time);
    row.time = time.median;
    if (time.noise && *time.noise > 0) row.spread = *time.noise * time.median;
    if (record.time->iterations) row.iterations = static_cast<double>(*record.time->iterations);
    if (record.check) row.objective = record.check->found.number("objective");
    row.baseline = over.given() && over.is(record);
    row.handicap = handicap_of(record);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> doubts_of(const std::vector<EvidenceRow>& rows) {
  std::vector<std::string> doubts;
  std::map<std::string, std::vector<const EvidenceRow*>> problems;
  for (const auto& row : rows) problems[row.problem].push_back(&row);
  for (const auto& [problem, members] : problems) {
    unequal("iterations", &EvidenceRow::iterations, 0, members, doubts);
    unequal("objective", &EvidenceRow::objective, same_objective, members, doubts);
    std::set<std::string> machines;
    for (const auto* row : members)
      if (!row->hardware.empty()) machines.insert(row->hardware);
    if (machines.size() > 1)
      doubts.push_back(fmt::format("hardware differs: {}{}: {}", problem, problem.empty() ? "the table" : "",
                                   shortened({machines.begin(), machines.end()})));
  }
  constant_spread(rows, doubts);
  for (const auto& row : rows)
    if (!row.handicap.empty()) doubts.push_back(fmt::format("weak baseline: {}: {}", row.name, row.handicap));
  for (const auto& row : rows)
    if (row.baseline && row.time && row.limit && *row.limit > 0 && *row.time > far_from_limit * *row.limit)
      doubts.push_back(
          fmt::format("weak baseline: {} takes {:.3g} times as long as its own work needs: speedups over it "
                      "say as much of it as of others",
                      row.name, *row.time / *row.limit));
  return doubts;
}

}  // namespace uotbench
