// uotbench bisect: which commit made a case slower?
#include "tools/uotbench/gating/bisect.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "harness/host/facts/terminal.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/gate/gate.hpp"
#include "results/gate/tell/formats.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/running/execute.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

using Ending = BisectReport::Finding;
using enum Table::Holds;

constexpr std::size_t short_hash = 8, shown_places = 10;

std::string brief_of(const CommitFacts& commit) {
  return commit.hash.substr(0, short_hash) + " " + commit.subject;
}

std::string person_and_day(const CommitFacts& commit) {
  return fmt::format("{}, {}", commit.author, commit.date.substr(0, commit.date.find('T')));
}

std::string change_of(const PlaceChange& place) {
  if (place.before == 0) return "new";
  return place.after == 0 ? "gone" : fmt::format("{:+.1f}%", 100 * (place.after / place.before - 1));
}

std::string places_text(const std::string& title, const std::vector<PlaceChange>& places,
                        const std::string& why_none, const Terminal& terminal) {
  if (places.empty())
    return paragraph("note: ",
                     why_none.empty() ? fmt::format("no {} executes more or fewer instructions", title)
                                      : fmt::format("no {}s: {}", title, on_one_line(why_none)),
                     terminal, Style::faint);
  Table table{
      .columns = {{title, words}, {"instructions before", numbers}, {"after", numbers}, {"change", numbers}}};
  for (std::size_t i = 0; i < std::min(places.size(), shown_places); ++i) {
    const PlaceChange& place = places[i];
    const std::string what = place.text.empty() ? place.at : place.at + "  " + cut(place.text, 60);
    table.row({on_one_line(what), format_count(place.before), format_count(place.after), change_of(place)});
  }
  std::string text = text_rows(std::move(table), terminal);
  if (places.size() > shown_places)
    text += fmt::format("and {} more; --json has all\n", counted(places.size() - shown_places, title));
  return text;
}

std::string steps_text(const BisectReport& report, const Terminal& terminal) {
  if (report.steps.empty()) return "";
  Table table{.columns = {{"commit", words}, {"is", words}, {"because", words}}};
  for (const auto& step : report.steps)
    table.row(
        {on_one_line(brief_of(step.commit)),
         {name_of(step.answer), step.answer == BisectStep::Answer::skipped ? Style::warning : Style::plain},
         on_one_line(step.reason)});
  return "\n" + text_rows(std::move(table), terminal);
}

/// The suspects, or the culprit, as people know them.
std::string commits_text(const BisectReport& report, const Terminal& terminal) {
  const CommitFacts& last = report.suspects.back();
  std::string text;
  switch (report.finding) {
    case Ending::culprit:
      text = paragraph(styled("culprit: ", Style::bad, terminal), on_one_line(last.hash), terminal);
      break;
    case Ending::spread:
      text =
          paragraph(styled("no culprit: ", Style::warning, terminal),
                    fmt::format("{} is where half of the slowdown is reached, but it alone does not do it: "
                                "several commits do, little by little",
                                last.hash),
                    terminal);
      break;
    default:
      text = paragraph(styled("one of these: ", Style::warning, terminal),
                       fmt::format("{} could not be decided", counted(report.suspects.size(), "commit")),
                       terminal);
      for (const auto& commit : report.suspects)
        text += paragraph("  ", on_one_line(fmt::format("{} ({})", brief_of(commit), person_and_day(commit))),
                          terminal);
      return text;
  }
  text += paragraph("  subject: ", on_one_line(last.subject), terminal);
  text += paragraph("  author: ", on_one_line(person_and_day(last)), terminal);
  return text;
}

/// The finding first, then what shows it, then the way there.
std::string text_of(const BisectReport& report, const Terminal& terminal) {
  std::string text;
  const bool commits = !report.suspects.empty() && report.effect;
  if (report.finding == Ending::interrupted) {
    text = paragraph("interrupted: ", report.reason, terminal, Style::warning);
  } else if (!commits) {
    text = paragraph(fmt::format("{}: ", name_of(report.finding)), on_one_line(report.reason), terminal);
  } else {
    text = commits_text(report, terminal);
    text += paragraph("  against: ", on_one_line(brief_of(*report.before)), terminal);
    text += paragraph("  effect: ", on_one_line(report.reason), terminal);
    for (const auto& counter : report.effect->counters)
      if (counter.verdict != Verdict::ok && is_of_code(counter))
        text += paragraph("  counter: ", on_one_line(text_of(counter)), terminal);
    text += places_text("function", report.functions, report.no_functions, terminal);
    text += places_text("line", report.lines, report.no_lines, terminal);
  }
  text += steps_text(report, terminal);
  text += warnings(report.warnings, terminal);
  if (!report.command.empty())
    text += paragraph(report.finding == Ending::interrupted ? "to go on: " : "to repeat it: ", report.command,
                      terminal);
  return text;
}

int bisect(const BisectFlags& flags) {
  stop_on_signals();
  const BisectReport report = Bisect(flags).run();
  if (flags.gate.json)
    print_json(to_json(report));
  else
    fmt::print("{}", text_of(report, terminal_of(stdout)));
  return report.exit_code;
}

}  // namespace

void add_bisect(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<BisectFlags>();
  auto* command = program.add_subcommand("bisect", "find the commit that made a case slower");
  declare(*command, *flags);
  command->callback([flags, &chosen] { chosen = [flags] { return bisect(*flags); }; });
}

}  // namespace uotbench
