#include "tools/uotbench/history/stored_history.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>

#include "harness/sweep/revisions/trunk.hpp"
#include "results/base/error.hpp"
#include "results/base/pattern.hpp"
#include "results/base/units.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

/// That around this folder; null where there is none.
std::unique_ptr<const Repository> repository_here() try {
  return std::make_unique<const Repository>(std::filesystem::path());
} catch (const UsageError&) {
  return nullptr;
}

bool is_hash(const std::string& text) {
  constexpr std::size_t shortest = 7, longest = 64;
  return text.size() >= shortest && text.size() <= longest &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Seconds since 1970 of "2026-01-31T12:00:00Z".
std::int64_t seconds_of(const std::string& utc, const std::string& commit) {
  std::tm time{};
  if (!::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%S", &time))
    throw UsageError(
        fmt::format("commit {}: when it was made is not known: it is in no git repository here, and the run "
                    "has no start",
                    commit));
  return ::timegm(&time);
}

CommitLine commit_line(const Repository& repository, const std::string& tip) {
  CommitLine line{.commits = {}, .whole = !repository.is_shallow()};
  if (!line.whole && !tip.empty())
    throw UsageError(fmt::format("--tip {}: the clone is shallow: set fetch-depth: 0", tip));
  for (auto& commit : trunk_of(repository, tip.empty() ? "HEAD" : tip))
    line.commits.push_back({.hash = commit.hash, .time = commit.time, .subject = std::move(commit.subject)});
  return line;
}

}  // namespace

void add_history_folder(CLI::App& command, std::string& in) {
  command
      .add_option(
          "--in", in,
          fmt::format(
              "the folder of the history; default: {}, here or in the top folder of the git repository",
              history_folder))
      ->type_name("FOLDER");
}

std::filesystem::path in_repository(const std::filesystem::path& place) {
  std::error_code unreadable;
  if (std::filesystem::exists(place, unreadable)) return place;
  const auto repository = repository_here();
  if (!repository) return place;
  for (const auto& top : repository->tops())
    if (std::filesystem::exists(top / place, unreadable)) return top / place;
  // A new one is begun in the top folder, whatever folder the command is started in.
  return std::filesystem::equivalent(repository->top(), std::filesystem::current_path(), unreadable)
             ? place
             : repository->top() / place;
}

std::filesystem::path history_folder_of(const std::string& in) {
  return in.empty() ? in_repository(history_folder) : std::filesystem::path(in);
}

void add_history_flags(CLI::App& command, HistoryOptions& options) {
  command
      .add_option("--tip", options.tip,
                  "show the commits on the first-parent line of this one; default: HEAD")
      ->type_name("REV");
  command.add_option("--delta", options.delta, "ignore steps of times smaller than this; default: 2%")
      ->type_name("SIZE");
}

CommitsToKeep::CommitsToKeep() : repository_(repository_here()) {}
CommitsToKeep::~CommitsToKeep() = default;

HistoryCommit CommitsToKeep::find(const std::string& revision, const std::string& otherwise) const {
  try {
    if (!repository_)
      throw UsageError(
          fmt::format("{}: there is no git repository here; expected a commit's hash", revision));
    TrunkCommit found = trunk_commit(*repository_, revision);
    HistoryCommit commit{.hash = found.hash,
                         .time = found.time,
                         .subject = std::move(found.subject),
                         .accepted = {},
                         .position = position_of(*repository_, found.hash)};
    try {
      commit.accepted = accepted_between(*repository_, commit.hash + "^1", commit.hash);
    } catch (const Error&) {  // it has no parent here, or a trailer that a gate refuses
    }
    return commit;
  } catch (const UsageError&) {
    if (!is_hash(revision)) throw;
  }
  return {.hash = revision, .time = seconds_of(otherwise, revision), .time_of_run = true};
}

History stored_history(const HistoryOptions& options) {
  StepRules rules;
  rules.delta = flag_value("--delta", parse_percent, options.delta);
  std::optional<Pattern> pattern;
  if (!options.pattern.empty()) pattern.emplace(options.pattern, "PATTERN");
  const std::filesystem::path folder = history_folder_of(options.in);
  StoredHistory stored = read_history(folder);
  const auto repository = repository_here();
  CommitLine line;
  std::optional<std::string> no_line;
  if (repository) try {
      line = commit_line(*repository, options.tip);
    } catch (
        const UsageError& error) {  // of a branch without a commit: what is stored can be shown all the same
      if (!options.tip.empty()) throw;
      no_line = error.what();
    }
  else if (!options.tip.empty())
    throw UsageError(fmt::format("--tip {}: there is no git repository here", options.tip));
  History history = history_of(std::move(stored), line,
                               [&](const std::string& id) { return !pattern || pattern->is_in(id); });
  if (history.lines.empty())
    throw UsageError(fmt::format("PATTERN {}: no case of {} matches; uotbench history show lists them",
                                 options.pattern, folder.string()));
  if (no_line) history.warnings.push_back(*no_line + "; --tip REV takes its line");
  AcceptedSince accepted;
  const auto known = [&](const HistoryCommit& commit) {
    return std::ranges::find(line.commits, commit.hash, &HistoryCommit::hash) != line.commits.end();
  };
  if (repository && line.whole && !line.commits.empty() && known(history.commits.front()))
    accepted = [&](const HistoryCommit& good, const HistoryCommit& bad) {
      try {
        return accepted_between(*repository, good.hash, bad.hash);
      } catch (const UsageError& error) {
        history.warnings.emplace_back(error.what());
        return std::vector<Acceptance>{};
      }
    };
  find_steps(history, rules, accepted);
  return history;
}

std::string text_of(const History& history, const Terminal& terminal) {
  const std::string warned = warnings(history.warnings, terminal);
  std::string text = warned.empty() ? "" : warned + '\n';
  text += text_of(lines_table(history), terminal) + '\n';
  std::vector<std::pair<const HistoryLine*, const HistoryStep*>> steps;
  for (const auto& line : history.lines)
    for (const auto& step : line.steps) steps.emplace_back(&line, &step);
  std::ranges::stable_sort(steps, std::greater(), [](const auto& pair) { return pair.second->bad; });
  for (const auto& [line, step] : steps) {
    const Style style = step->accepted ? Style::warning : step->slower() ? Style::bad : Style::good;
    const bool timed = step->interval.has_value();
    text += '\n' + paragraph(styled(word_of(*step) + "  ", style, terminal),
                             line->id + (timed ? "" : "  " + step->of), terminal);
    text += paragraph(
        "    ", fmt::format("{}, since {}", text_of(*step), on_one_line(text_of(history.commits[step->bad]))),
        terminal);
    if (step->accepted)
      text += paragraph("    ", "accepted: " + on_one_line(*step->accepted), terminal);
    else if (step->slower())
      text += "    next: " + bisect_command(history, *line, *step) + '\n';
  }
  return text;
}

}  // namespace uotbench
