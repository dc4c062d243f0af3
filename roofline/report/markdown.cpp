#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "results/export/export.hpp"
#include "results/view/quantity.hpp"
#include "roofline/report/report.hpp"

namespace uotbench {
namespace {

constexpr std::size_t rows_of_a_group = 20;
constexpr std::size_t reasons_shown = 10;
constexpr std::size_t longest_report =
    55'000;  ///< with tables, each of which ends within a few rows of its share
constexpr std::size_t longest_summary = 40'000;  ///< of all runs; a group that begins below ends above it

/// At most rows_of_a_group: the fastest, in the plan's order; those without a time only where there is room.
void keep_fastest(Table& group) {
  if (group.rows.size() <= rows_of_a_group) return;
  const auto median =
      std::ranges::find(group.columns, "median", &Table::Column::title) - group.columns.begin();
  const auto seconds = [&](std::size_t row) {
    return group.rows[row][static_cast<std::size_t>(median)].value.value_or(HUGE_VAL);
  };
  std::vector<std::size_t> fast(group.rows.size());
  std::iota(fast.begin(), fast.end(), std::size_t{0});
  std::ranges::stable_sort(fast, {}, seconds);
  const std::set<std::size_t> kept(fast.begin(), fast.begin() + rows_of_a_group);
  std::vector<Table::Row> rows;
  for (const auto row : kept) rows.push_back(std::move(group.rows[row]));
  group.rows = std::move(rows);
}

/// Cells hold numbers that we wrote, and names.
std::string cell_text(const Table::Cell& cell, std::size_t column) {
  if (column == 0) return markdown_name(cell.text);
  return cell.style == Style::strong ? "**" + cell.text + "**" : cell.text;
}

/// As many groups as fit into `space` characters, the first always.
std::string groups_of(const RunView& view, std::size_t space) {
  std::string text;
  std::size_t shown = 0, cases_left = 0;
  auto groups = by_heading(run_table(view));
  for (auto& group : groups) {
    const std::size_t cases = group.rows.size();
    if (shown > 0 && text.size() >= space) {
      cases_left += cases;
      continue;
    }
    ++shown;
    keep_fastest(group);
    text += fmt::format("#### {}\n\n{}", markdown_name(group.title), markdown_rows(group, cell_text));
    if (group.rows.size() < cases)
      text += fmt::format("\nThe fastest {} of {} cases.\n", group.rows.size(), cases);
    text += '\n';
  }
  if (shown < groups.size())
    text += fmt::format("{} more groups with {} cases are not shown.\n\n", groups.size() - shown, cases_left);
  return text;
}

/// Cases that failed, and the reasons of those that were skipped, each reason once.
std::string reasons_of(const Run& run) {
  std::string text;
  std::size_t bad = 0;
  std::map<std::string, std::size_t> skipped;
  for (const auto& record : run.records) {
    const std::string reason = record.reason.value_or("no reason given");
    if (record.status == Status::skipped) ++skipped[reason];
    if (!is_bad(record.status) || ++bad > reasons_shown) continue;
    text += fmt::format("- {} {}: {}\n", markdown_name(record.id), outcome_of(record), markdown_text(reason));
  }
  if (bad > 0)
    text = fmt::format("**{} of {} cases failed or were stopped:**\n\n{}", bad, run.records.size(), text);
  if (bad > reasons_shown) text += fmt::format("- and {} more\n", bad - reasons_shown);
  if (bad > 0) text += '\n';
  if (skipped.empty()) return text;
  text += "Skipped:\n\n";
  std::size_t shown = 0;
  for (const auto& [reason, count] : skipped) {
    if (++shown > reasons_shown) continue;
    text += fmt::format("- {}: {}\n", count == 1 ? "1 case" : fmt::format("{} cases", count),
                        markdown_text(reason));
  }
  if (shown > reasons_shown) text += fmt::format("- and {} more reasons\n", shown - reasons_shown);
  return text + '\n';
}

std::string builds_of(const Run& run) {
  std::string text;
  for (const auto& [name, build] : run.header.workers) {
    if (build.compiler().empty() || name == "oracle") continue;
    const std::string commit = build.commit();
    text += fmt::format("{}{} ({}{})", text.empty() ? "" : ", ", markdown_name(name),
                        markdown_text(build.compiler()),
                        commit.empty() ? "" : ", " + markdown_name(commit.substr(0, 12)));
  }
  return text;
}

std::string summary_of(const RunView& view, std::size_t space) {
  const Run& run = *view.run;
  std::string text = fmt::format("### {}\n\n", markdown_text(name_of(run)));
  if (const std::string about = run.header.sweep.about(); !about.empty()) text += markdown_text(about) + ". ";
  text += markdown_text(outcome_of(run));
  if (const std::string place = place_of(run); !place.empty()) text += " on " + markdown_text(place);
  if (const std::string start = start_of(run); !start.empty()) text += ", " + markdown_text(start);
  if (const std::string builds = builds_of(run); !builds.empty()) text += "; " + builds;
  text += "; " + markdown_name(run.path.filename().string()) + ".\n\n";
  for (const auto& warning : view.warnings) text += "- ⚠ " + markdown_text(warning) + '\n';
  if (!view.warnings.empty()) text += '\n';
  text += reasons_of(run);
  text += groups_of(view, space - std::min(space, text.size()));
  for (const auto& note : view.notes) text += "- " + markdown_text(note) + '\n';
  if (!view.notes.empty()) text += '\n';
  if (view.reference.names_axes())
    text += fmt::format("Speedups are over {}.\n\n", markdown_name(view.reference.text()));
  return text;
}

}  // namespace

std::string markdown_of(const Report& report) {
  std::string text;
  for (const auto* view : report.runs) text += summary_of(*view, longest_summary / report.runs.size());
  for (std::size_t i = 0; i < report.tables.size(); ++i) {
    const std::size_t left = longest_report - std::min(longest_report, text.size());
    text += markdown_of(report.tables[i], left / (report.tables.size() - i));
  }
  return text;
}

}  // namespace uotbench
