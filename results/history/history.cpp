#include "results/history/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "results/base/text.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

/// Where each commit of the entries comes; absent: it is on no line.
struct Places {
  std::vector<HistoryCommit> commits;
  std::unordered_map<std::string, std::size_t> of;
};

std::string short_hash_of(const HistoryCommit& commit) { return commit.hash.substr(0, 8); }

Places by_line(const CommitLine& line,
               const std::unordered_map<std::string, const HistoryCommit*>& measured) {
  Places places;
  for (const auto& commit : line)
    if (const auto found = measured.find(commit.hash); found != measured.end()) {
      places.of[commit.hash] = places.commits.size();
      places.commits.push_back(*found->second);
      if (places.commits.back().subject.empty()) places.commits.back().subject = commit.subject;
    }
  return places;
}

Places by_time(const std::unordered_map<std::string, const HistoryCommit*>& measured) {
  Places places;
  for (const auto& [hash, commit] : measured) places.commits.push_back(*commit);
  std::ranges::sort(places.commits, {}, [](const HistoryCommit& commit) {
    return std::tuple(commit.time, std::string_view(commit.hash));
  });
  for (std::size_t i = 0; i < places.commits.size(); ++i) places.of[places.commits[i].hash] = i;
  return places;
}

Places places_of(const std::vector<HistoryEntry>& entries, const CommitLine& line, History& history) {
  std::unordered_map<std::string, const HistoryCommit*> measured;
  for (const auto& entry : entries) {
    const HistoryCommit*& known = measured[entry.commit.hash];
    if (!known || known->subject.empty()) known = &entry.commit;
  }
  Places places = by_line(line, measured);
  if (places.commits.empty()) {
    if (!line.empty())
      history.warnings.push_back(
          "this repository has none of the commits: they are in the order of their times");
    return by_time(measured);
  }
  std::vector<std::string> others;
  for (const auto& [hash, commit] : measured)
    if (!places.of.contains(hash)) others.push_back(short_hash_of(*commit));
  std::ranges::sort(others);
  if (!others.empty())
    history.notes.push_back(fmt::format(
        "{} commit{} left out, which the first parents of {} do not lead to: {}; --tip REV takes another "
        "line",
        others.size(), others.size() == 1 ? "" : "s", short_hash_of(line.back()), shortened(others)));
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

}  // namespace

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
          fmt::format("{}\n{}\n{}\n{}", one.id, one.per, entry.machine, built), history.lines.size());
      if (fresh)
        history.lines.push_back({.id = one.id, .per = one.per, .machine = entry.machine, .build = built});
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
                      std::string_view(its.build), std::string_view(its.per));
  });
  return history;
}

}  // namespace uotbench
