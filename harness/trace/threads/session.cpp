#include "harness/trace/threads/session.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "harness/trace/base/source_lines.hpp"
#include "harness/trace/threads/replay.hpp"
#include "harness/trace/threads/trace.hpp"

namespace uotbench::trace {

constinit thread_local Self self;
Session* current = nullptr;

namespace {
constexpr std::int64_t block = 4096;  // accesses of the budget that a thread takes at a time
constexpr double word = 8;            // bytes an access takes in a log
}  // namespace

Session::Session(const Options& options)
    : threads_(options.threads),
      log_cap_(options.log_cap),
      races_(options.races),
      pages_(options.arena, options.arena_bytes) {
  if (options.caches) hierarchy_.emplace(options.geometry, options.threads);
  if (threads_ == 1) return;
  logs_ = std::make_unique<Mine[]>(static_cast<std::size_t>(threads_));
  // A block more for each thread: whether the cap is kept does not depend on who took the last one.
  budget_ = static_cast<std::int64_t>(log_cap_ / word) + block * threads_;
}

bool Session::allow(Mine& mine) {
  if (__atomic_fetch_sub(&budget_, block, __ATOMIC_RELAXED) < block) {
    __atomic_fetch_add(&budget_, block, __ATOMIC_RELAXED);
    return false;
  }
  mine.allowance = block;
  return true;
}

std::string Session::obstacle() const {
  if (refusal_) return refusal_;
  if (pages_.full()) return "more than 16 GiB outside the arena were touched: their pages cannot be numbered";
  return log_obstacle();
}

std::string Session::log_obstacle() const {
  if (!logs_) return "";
  double bytes = 0;
  for (int thread = 0; thread < threads_; ++thread)
    bytes += word * static_cast<double>(logs_[thread].accesses);
  if (bytes <= log_cap_) return "";
  // Rounded down: what is named does fit.
  const double fitting = std::max(0., log_cap_ / bytes * 100 - 0.05);
  char text[200];
  std::snprintf(
      text, sizeof text,
      "the accesses of %d threads take %.3g GB of log and %.3g GB are allowed; %.1f%% of them would fit",
      threads_, bytes / 1e9, log_cap_ / 1e9, fitting);
  return text;
}

void Session::mark(std::uint64_t epoch) {
  marked_ = epoch;
  regions_at_mark_ = regions_;
  barriers_at_mark_ = barriers_;
  if (!logs_ && hierarchy_) before_mark_ = so_far();  // with logs, nothing was played yet
}

Counts Session::counts() {
  Counts counts = hierarchy_ ? counts_of_caches() : Counts{};
  if (races_) add_races(counts);
  return counts;
}

void Session::add_races(Counts& counts) const {
  counts.race_obstacle = race_refusal_ ? race_refusal_ : log_obstacle();
  if (!logs_ || !counts.race_obstacle.empty()) return;
  std::vector<const Log*> logs;
  for (int thread = 0; thread < threads_; ++thread) logs.push_back(&logs_[thread].log);
  const auto pairs = find_races(logs);
  std::vector<std::uint64_t> places;
  for (const RacingPair& pair : pairs)
    for (const auto& side : {pair.first, pair.second}) places.push_back(sites_.place(side.site));
  const auto lines = source_lines(places);
  // Several instructions may come from one line.
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto side = [](const RacingPair::Side& its, const std::string& at) {
      return ThreadRace::Side{at, its.write, its.atomic, its.thread};
    };
    ThreadRace race{side(pairs[i].first, lines[2 * i]), side(pairs[i].second, lines[2 * i + 1]),
                    pairs[i].bytes, static_cast<double>(pairs[i].count)};
    if (!race.first.write) std::swap(race.first, race.second);  // the write is named first
    const auto alike = [](const ThreadRace::Side& a, const ThreadRace::Side& b) {
      return a.at == b.at && a.write == b.write && a.atomic == b.atomic;
    };
    const auto same = std::ranges::find_if(counts.races, [&](const ThreadRace& other) {
      return (alike(other.first, race.first) && alike(other.second, race.second)) ||
             (alike(other.first, race.second) && alike(other.second, race.first));
    });
    if (same == counts.races.end())
      counts.races.push_back(race);
    else
      same->count += race.count;
  }
  std::ranges::sort(counts.races, [](const ThreadRace& a, const ThreadRace& b) {
    return a.count != b.count ? a.count > b.count
                              : std::tie(a.first.at, a.second.at) < std::tie(b.first.at, b.second.at);
  });
}

Counts Session::counts_of_caches() {
  if (const std::string why = obstacle(); !why.empty()) {
    Counts none;
    none.obstacle = why;
    return none;
  }
  std::uint64_t longest_share = 0;
  if (logs_) {
    std::vector<const Log*> logs;
    for (int thread = 0; thread < threads_; ++thread) logs.push_back(&logs_[thread].log);
    longest_share = replay(logs, pages_, *hierarchy_, marked_, [this] { before_mark_ = so_far(); });
  }
  Counts counts = before_mark_ ? std::move(*before_mark_) : so_far();
  if (before_mark_) counts.steady = hierarchy_->between() - counts.steady;
  counts.longest_share = logs_ ? longest_share : counts.reads + counts.writes;
  counts.regions = before_mark_ ? regions_at_mark_ : regions_;
  counts.barriers = before_mark_ ? barriers_at_mark_ : barriers_;
  counts.obstacle = obstacle();  // the pages are numbered in the replay
  return counts;
}

Counts Session::so_far() const {
  Counts counts = hierarchy_->counts();
  if (marked_ != no_mark) counts.steady = hierarchy_->between();
  std::vector<std::uint64_t> places;
  std::vector<double> misses;
  for (unsigned site = 0; site < Sites::most; ++site)
    if (const std::uint64_t count = hierarchy_->false_sharing_at(site); count > 0) {
      places.push_back(sites_.place(site));
      misses.push_back(static_cast<double>(count));
    }
  const auto lines = source_lines(places);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto same = std::ranges::find(counts.false_sharing_lines, lines[i], &LineCount::at);
    if (same == counts.false_sharing_lines.end())
      counts.false_sharing_lines.push_back({lines[i], misses[i]});
    else
      same->count += misses[i];
  }
  std::ranges::sort(counts.false_sharing_lines, [](const LineCount& a, const LineCount& b) {
    return a.count != b.count ? a.count > b.count : a.at < b.at;
  });
  return counts;
}

// Those that are in the session and inside a callback are no strangers.
void unseen() {
  if (self.thread >= 0) return;
  if (Session* const session = __atomic_load_n(&current, __ATOMIC_RELAXED))
    session->refuse_all(
        "a thread that no parallel region of OpenMP (schedule static) started made accesses; threads of a "
        "kernel's own can be counted one at a time only: threads=1");
}

void start(const Options& options) {
  if (current) throw std::logic_error("a trace is being made; one at a time can be");
  Session* const session = new Session(options);
  __atomic_store_n(&current, session, __ATOMIC_RELEASE);
  self = {.on = session, .thread = 0};
}

void mark() {
  if (!self.on) throw std::logic_error("no trace that this thread started is being made");
  self.on->mark(++self.epoch);
}

Counts stop() {
  Session* const session = self.on;
  if (!session) throw std::logic_error("no trace that this thread started is being made");
  self = {};
  __atomic_store_n(&current, nullptr, __ATOMIC_RELEASE);
  return std::unique_ptr<Session>(session)->counts();
}

}  // namespace uotbench::trace
