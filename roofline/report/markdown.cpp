#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/view/cells.hpp"
#include "roofline/report/facts.hpp"
#include "roofline/report/report.hpp"

namespace uotbench {
namespace {

constexpr std::size_t rows_of_a_group = 20;
constexpr std::size_t reasons_shown = 10;
constexpr std::size_t longest_text = 200;
constexpr std::size_t longest_report =
    55'000;  ///< with tables, each of which ends within a few rows of its share
constexpr std::size_t longest_summary = 40'000;  ///< of all runs; a group that begins below ends above it

std::string short_code(const std::string& text) {
  return markdown_code(cut(on_one_line(text), longest_text));
}

std::string plain(const std::string& text) { return markdown_escaped(cut(text, longest_text)); }

/// At most rows_of_a_group: the fastest, in the plan's order; those without a time only where there is room.
std::vector<const CaseView*> chosen(const GroupView& group) {
  std::vector<const CaseView*> members;
  for (const auto& member : group.cases) members.push_back(&member);
  if (members.size() <= rows_of_a_group) return members;
  std::vector<const CaseView*> fast = members;
  const auto seconds = [](const CaseView* member) { return member->time ? member->time->median : HUGE_VAL; };
  std::ranges::stable_sort(fast, {}, seconds);
  const std::set<const CaseView*> kept(fast.begin(), fast.begin() + rows_of_a_group);
  std::erase_if(members, [&](const CaseView* member) { return !kept.contains(member); });
  return members;
}

std::string table_of(const GroupView& group, const std::vector<CellColumn>& columns) {
  const auto members = chosen(group);
  const double usual = usual_tolerance(group);
  const CaseView* const best = fastest(group);
  std::string text;
  for (const auto& column : columns) text += fmt::format("| {} ", column.title);
  text += "|\n";
  for (const auto& column : columns) text += column.number ? "|---:" : "|:---";
  text += "|\n";
  for (const auto* member : members) {
    const Cells cells = cells_of(*member, usual);
    for (const auto& column : columns)
      text +=
          fmt::format("| {} ", column.text == &Cells::label    ? short_code(cells.label)
                               : column.text == &Cells::status ? name_of(member->record->status)
                               : column.text == &Cells::median && member == best ? "**" + cells.median + "**"
                                                                                 : cells.*column.text);
    text += "|\n";
  }
  if (members.size() < group.cases.size())
    text += fmt::format("\nThe fastest {} of {} cases.\n", members.size(), group.cases.size());
  return text;
}

/// As many groups as fit into `space` characters, the first always.
std::string groups_of(const RunView& view, std::size_t space) {
  const auto columns = columns_of(view);
  std::string text;
  std::size_t groups = 0, cases_left = 0;
  for (const auto& group : view.groups) {
    if (groups > 0 && text.size() >= space) {
      cases_left += group.cases.size();
      continue;
    }
    text += fmt::format("#### {}\n\n{}\n", short_code(group.title), table_of(group, columns));
    ++groups;
  }
  if (groups < view.groups.size())
    text += fmt::format("{} more groups with {} cases are not shown.\n\n", view.groups.size() - groups,
                        cases_left);
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
    text += fmt::format("- {} {}: {}\n", short_code(record.id), name_of(record.status), plain(reason));
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
    text += fmt::format("- {}: {}\n", count == 1 ? "1 case" : fmt::format("{} cases", count), plain(reason));
  }
  if (shown > reasons_shown) text += fmt::format("- and {} more reasons\n", shown - reasons_shown);
  return text + '\n';
}

std::string builds_of(const Run& run) {
  std::string text;
  const Json workers = run.header.value("workers", Json::object());
  for (const auto& [name, build] : workers.items()) {
    if (!build.is_object() || !build.value("compiler", Json()).is_string() || name == "oracle") continue;
    const Json commit = build.value("commit", Json());
    text += fmt::format("{}{} ({}{})", text.empty() ? "" : ", ", short_code(name),
                        plain(build.value("compiler", std::string())),
                        commit.is_string() ? ", " + short_code(commit.get<std::string>().substr(0, 12)) : "");
  }
  return text;
}

std::string summary_of(const RunView& view, std::size_t space) {
  const Run& run = *view.run;
  std::string text = fmt::format("### {}\n\n", plain(name_of(run)));
  const Json about = run.header.value("sweep", Json::object()).value("about", Json());
  if (about.is_string()) text += plain(about.get<std::string>()) + ". ";
  text += plain(outcome_of(run));
  if (const std::string place = place_of(run); !place.empty()) text += " on " + plain(place);
  if (const std::string start = start_of(run); !start.empty()) text += ", " + plain(start);
  if (const std::string builds = builds_of(run); !builds.empty()) text += "; " + builds;
  text += "; " + short_code(run.path.filename().string()) + ".\n\n";
  for (const auto& warning : view.warnings) text += "- ⚠ " + plain(warning) + '\n';
  if (!view.warnings.empty()) text += '\n';
  text += reasons_of(run);
  text += groups_of(view, space - std::min(space, text.size()));
  for (const auto& note : view.notes) text += "- " + plain(note) + '\n';
  if (!view.notes.empty()) text += '\n';
  if (view.reference.names_axes())
    text += fmt::format("Speedups are over {}.\n\n", short_code(view.reference.text()));
  return text;
}

/// As many rows as fit into `space` characters.
std::string table_within(const ReportTable& table, std::size_t space) {
  std::string text =
      fmt::format("### {}\n\n{}\n\n", markdown_escaped(table.title), markdown_escaped(table.about));
  if (table.rows.empty()) return text;
  for (const auto& column : table.columns) text += "| " + markdown_escaped(column) + " ";
  text += "|\n";
  for (std::size_t i = 0; i < table.columns.size(); ++i) text += table.holds_words(i) ? "|:---" : "|---:";
  text += "|\n";
  std::size_t shown = 0;
  for (const auto& row : table.rows) {
    if (text.size() >= space) break;
    ++shown;
    if (table.is_heading(row)) {
      text += "| " + short_code(row.front()) + " ";
      for (std::size_t i = 1; i < table.columns.size(); ++i) text += "| ";
    }
    for (std::size_t i = 0; i < row.size() && !table.is_heading(row); ++i)
      text += "| " + (i == 0 ? short_code(row[i]) : plain(row[i])) + " ";
    text += "|\n";
  }
  text += '\n';
  if (shown < table.rows.size()) text += fmt::format("And {} more rows.\n\n", table.rows.size() - shown);
  std::size_t notes = 0;
  for (const auto& note : table.notes) {
    if (text.size() >= space) break;
    ++notes;
    text += "- " + markdown_escaped(note) + '\n';
  }
  if (notes < table.notes.size()) text += fmt::format("- and {} more notes\n", table.notes.size() - notes);
  return table.notes.empty() ? text : text + '\n';
}

}  // namespace

std::string markdown_of(const ReportTable& table) {
  return table_within(table, std::numeric_limits<std::size_t>::max());
}

std::string markdown_of(const Report& report) {
  std::string text;
  for (const auto* view : report.runs) text += summary_of(*view, longest_summary / report.runs.size());
  for (std::size_t i = 0; i < report.tables.size(); ++i) {
    const std::size_t left = longest_report - std::min(longest_report, text.size());
    text += table_within(report.tables[i], left / (report.tables.size() - i));
  }
  return text;
}

}  // namespace uotbench
