#include "results/history/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/parallel.hpp"
#include "results/base/text.hpp"
#include "results/base/whole_file.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

/// Where each commit of the entries comes; absent: it is on no line.
struct Places {
  std::vector<HistoryCommit> commits;
  std::unordered_map<std::string, std::size_t> of;
};

std::string short_hash_of(const HistoryCommit& commit) { return commit.hash.substr(0, 8); }

using Measured = std::unordered_map<std::string, const HistoryCommit*>;

Places by_line(const CommitLine& line, const Measured& measured) {
  Places places;
  for (const auto& commit : line.commits)
    if (const auto found = measured.find(commit.hash); found != measured.end()) {
      places.of[commit.hash] = places.commits.size();
      places.commits.push_back(*found->second);
      if (places.commits.back().subject.empty()) places.commits.back().subject = commit.subject;
    }
  return places;
}

/// Where the commits of a line that is not whole are counted from: by one whose position was kept.
std::optional<std::size_t> position_of_first(const CommitLine& line, const Measured& measured) {
  for (std::size_t i = 0; i < line.commits.size(); ++i)
    if (const auto found = measured.find(line.commits[i].hash);
        found != measured.end() && found->second->position && *found->second->position >= i)
      return *found->second->position - i;
  return std::nullopt;
}

/// By their positions where all have one, else by their times; `history` says where both leave the order
/// open.
Places by_themselves(const CommitLine& line, const Measured& measured, History& history) {
  std::unordered_map<std::string, std::size_t> in_line;
  const auto first = position_of_first(line, measured);
  for (std::size_t i = 0; i < line.commits.size(); ++i) in_line[line.commits[i].hash] = i;
  Places places;
  for (const auto& [hash, commit] : measured) {
    places.commits.push_back(*commit);
    if (const auto at = in_line.find(hash); first && at != in_line.end())
      places.commits.back().position = *first + at->second;
  }
  const bool placed =
      std::ranges::all_of(places.commits, [](const auto& one) { return one.position.has_value(); });
  const auto index_of = [&](const HistoryCommit& commit) -> std::optional<std::size_t> {
    if (commit.position) return commit.position;
    const auto at = in_line.find(commit.hash);
    return first || at == in_line.end() ? std::nullopt : std::optional(at->second);
  };
  std::ranges::sort(places.commits, {}, [&](const HistoryCommit& commit) {
    return std::tuple(placed ? *commit.position : 0, commit.time, index_of(commit).value_or(0),
                      std::string_view(commit.hash));
  });
  std::vector<std::string> open;
  for (std::size_t i = 0; !placed && i + 1 < places.commits.size(); ++i) {
    const HistoryCommit &one = places.commits[i], &next = places.commits[i + 1];
    if (one.time == next.time && !(index_of(one) && index_of(next)))
      open.push_back(short_hash_of(one) + " and " + short_hash_of(next));
  }
  if (!open.empty())
    history.warnings.push_back(
        fmt::format("the order of commits of the same second is not known: {}; steps among them may be "
                    "hidden: in a whole clone "
                    "of their repository it is (git fetch --unshallow)",
                    shortened(open)));
  const auto by_run =
      static_cast<std::size_t>(std::ranges::count_if(places.commits, &HistoryCommit::time_of_run));
  if (!placed && by_run > 0 && by_run < places.commits.size())
    history.warnings.push_back(
        fmt::format("the order is not known of {} of {} commits: no repository knew them when they were "
                    "added, and they are at the "
                    "time of their runs; add those runs again in a whole clone (git fetch --unshallow)",
                    by_run, places.commits.size()));
  for (std::size_t i = 0; i < places.commits.size(); ++i) places.of[places.commits[i].hash] = i;
  if (!line.commits.empty())
    history.warnings.push_back(fmt::format(
        "{}: they are in the order of their {}",
        line.whole
            ? fmt::format("the first parents of {} lead to none of the measured commits (--tip REV takes "
                          "another line)",
                          short_hash_of(line.commits.back()))
            : "the clone is shallow and lacks measured commits (git fetch --unshallow brings them; in CI set "
              "fetch-depth: 0)",
        placed ? "positions when they were added" : "times"));
  return places;
}

Places places_of(const std::vector<HistoryEntry>& entries, const CommitLine& line, History& history) {
  Measured measured;
  for (const auto& entry : entries) {
    const HistoryCommit*& known = measured[entry.commit.hash];
    if (!known || known->time_of_run || known->subject.empty() || (!known->position && entry.commit.position))
      known = &entry.commit;
  }
  Places places = by_line(line, measured);
  if (places.commits.empty() || (!line.whole && places.commits.size() < measured.size()))
    return by_themselves(line, measured, history);
  std::vector<std::string> others;
  for (const auto& [hash, commit] : measured)
    if (!places.of.contains(hash)) others.push_back(short_hash_of(*commit));
  std::ranges::sort(others);
  if (!others.empty())
    history.notes.push_back(fmt::format(
        "{} commit{} left out, which the first parents of {} do not lead to: {}; --tip REV takes another "
        "line",
        others.size(), others.size() == 1 ? "" : "s", short_hash_of(line.commits.back()), shortened(others)));
  return places;
}

/// Of several runs of one commit on one machine, one point.
void join_points(std::vector<HistoryPoint>& points) {
  std::ranges::stable_sort(points, {}, &HistoryPoint::commit);
  std::vector<HistoryPoint> joined;
  for (std::size_t i = 0, end = 0; i < points.size(); i = end) {
    for (end = i; end < points.size() && points[end].commit == points[i].commit;) ++end;
    HistoryPoint point = points[i];
    std::vector<double> values;
    for (std::size_t k = i; k < end; ++k) {
      values.push_back(points[k].value);
      point.low = std::min(point.low, points[k].low);
      point.high = std::max(point.high, points[k].high);
    }
    if (values.size() > 1) point.value = median(values);
    joined.push_back(point);
  }
  points = std::move(joined);
}

void add_counts(const HistoryCase& one, std::size_t commit, HistoryLine& line) {
  for (const auto& count : one.counts) {
    auto found = std::ranges::find_if(line.counts, [&](const HistoryCountLine& known) {
      return known.what.name == count.name && known.what.source == count.source &&
             known.what.unit == count.unit && known.what.of == count.of;
    });
    if (found == line.counts.end()) found = line.counts.insert(line.counts.end(), {count, {}});
    found->points.push_back({commit, count.value, count.value, count.value});
  }
}

std::size_t first_commit_of(const HistoryLine& line) {
  if (!line.points.empty()) return line.points.front().commit;
  return line.counts.empty() ? 0 : line.counts.front().points.front().commit;
}

Json json_of_point(const History& history, const HistoryPoint& point) {
  return {{"commit", history.commits[point.commit].hash},
          {"value", point.value},
          {"low", point.low},
          {"high", point.high}};
}

Json json_of_step(const History& history, const HistoryLine& line, const HistoryStep& step) {
  Json json{{"of", step.of},
            {"unit", step.unit},
            {"good", history.commits[step.good].hash},
            {"bad", history.commits[step.bad].hash},
            {"surely_good", history.commits[step.surely_good].hash},
            {"surely_bad", history.commits[step.surely_bad].hash},
            {"before", step.before},
            {"after", step.after},
            {"ratio", step.ratio != 0 ? Json(step.ratio) : Json()},
            {"interval", Json()},
            {"accepted", or_null(step.accepted)},
            {"next", step.slower() ? Json(bisect_command(history, line, step)) : Json()}};
  if (step.interval)
    json["interval"] = {
        {"low", step.interval->low}, {"high", step.interval->high}, {"coverage", step.interval->coverage}};
  return json;
}

}  // namespace

namespace fs = std::filesystem;

namespace {

/// As git abbreviates in a large repository.
constexpr std::size_t hash_in_name = 12;

}  // namespace

StoredEntry store(const fs::path& folder, const HistoryEntry& entry) {
  const std::string text = text_of(entry);
  const fs::path file =
      folder / fmt::format("{}-{}.jsonl", entry.commit.hash.substr(0, hash_in_name), hash_text(text));
  std::error_code missing;
  if (fs::is_regular_file(file, missing) && read_whole(file) == text) return {file, false};
  write_whole(file, text);
  return {file, true};
}

StoredHistory read_history(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  if (files.empty())
    throw UsageError(
        fmt::format("{}: no history there; uotbench history add RUN begins one, --in FOLDER names another",
                    folder.string()));
  std::ranges::sort(files);
  std::vector<std::optional<HistoryEntry>> entries(files.size());
  std::vector<std::string> wrong(files.size());
  in_parts(files.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) try {
        const std::string text = read_whole(files[i]);
        try {
          entries[i] = entry_from(text);
          entries[i]->file = files[i].string();
        } catch (const Error& error) {
          wrong[i] = fmt::format("{}: {}; left out", files[i].string(), error.what());
        }
      } catch (const UsageError& error) {  // of a folder, a pipe, a file of another user: with its name
        wrong[i] = fmt::format("{}; left out", error.what());
      }
  });
  StoredHistory history;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (entries[i]) history.entries.push_back(*std::move(entries[i]));
    if (!wrong[i].empty()) history.warnings.push_back(wrong[i]);
  }
  if (history.entries.empty())
    throw UsageError(fmt::format("{}: none of its {} files is of a history: {}", folder.string(),
                                 files.size(), history.warnings.front()));
  return history;
}

History history_of(StoredHistory stored, const CommitLine& line,
                   const std::function<bool(const std::string& id)>& wanted) {
  History history;
  history.warnings = std::move(stored.warnings);
  const Places places = places_of(stored.entries, line, history);
  history.commits = places.commits;
  std::unordered_map<std::string, std::size_t> lines;
  for (const auto& entry : stored.entries) {
    const auto place = places.of.find(entry.commit.hash);
    if (place == places.of.end()) continue;
    if (!entry.cpu.empty()) history.machines[entry.machine] = entry.cpu;
    for (const auto& one : entry.cases) {
      if (wanted && !wanted(one.id)) continue;
      const auto build = entry.builds.find(worker_of(one.id));
      const std::string& built = build == entry.builds.end() ? std::string() : build->second;
      const auto [at, fresh] = lines.try_emplace(
          fmt::format("{}\n{}\n{}\n{}\n{}", one.id, one.per, entry.machine, built, one.inputs),
          history.lines.size());
      if (fresh)
        history.lines.push_back(
            {.id = one.id, .per = one.per, .machine = entry.machine, .build = built, .inputs = one.inputs});
      HistoryLine& its = history.lines[at->second];
      if (one.seconds) its.points.push_back({place->second, *one.seconds, *one.low, *one.high});
      add_counts(one, place->second, its);
    }
  }
  for (auto& its : history.lines) {
    join_points(its.points);
    for (auto& count : its.counts) join_points(count.points);
  }
  std::ranges::sort(history.lines, {}, [](const HistoryLine& its) {
    return std::tuple(std::string_view(its.id), first_commit_of(its), std::string_view(its.machine),
                      std::string_view(its.build), std::string_view(its.inputs), std::string_view(its.per));
  });
  return history;
}

Json json_of(const History& history) {
  Json json{{"commits", Json::array()}, {"lines", Json::array()}};
  for (const auto& commit : history.commits)
    json["commits"].push_back({{"hash", commit.hash}, {"time", commit.time}, {"subject", commit.subject}});
  for (const auto& line : history.lines) {
    Json its{{"case", line.id},       {"per", line.per},         {"machine", line.machine},
             {"build", line.build},   {"points", Json::array()}, {"counts", Json::array()},
             {"steps", Json::array()}};
    if (!line.inputs.empty()) its["inputs"] = line.inputs;
    for (const auto& point : line.points) its["points"].push_back(json_of_point(history, point));
    for (const auto& count : line.counts) {
      Json values = Json::array();
      for (const auto& point : count.points)
        values.push_back({{"commit", history.commits[point.commit].hash}, {"value", point.value}});
      its["counts"].push_back({{"name", count.what.name},
                               {"source", count.what.source},
                               {"unit", count.what.unit},
                               {"points", values}});
    }
    for (const auto& step : line.steps) its["steps"].push_back(json_of_step(history, line, step));
    json["lines"].push_back(std::move(its));
  }
  json["warnings"] = history.warnings;
  json["notes"] = history.notes;
  return json;
}

}  // namespace uotbench
