#include "harness/trace/warps/replay.hpp"

namespace uotbench::trace {
namespace {

constexpr SiteNumber end = WarpSites::end;

bool same_way(const std::uint64_t* a, const std::uint64_t* b) {
  while (event::site(*a) == event::site(*b) && event::site(*a) != end) ++a, ++b;
  return event::site(*a) == event::site(*b);
}

}  // namespace

void WarpReplay::replay(ThreadLog* logs, int lanes) {
  lanes_ = lanes;
  has_joins_ = false;
  Lanes all;
  bool any = false;
  for (int lane = 0; lane < lanes; ++lane) any |= logs[lane].used > 0;
  if (!any) return;
  for (int lane = 0; lane < lanes; ++lane) {
    *logs[lane].end() = event::of(0, end);
    begin_[lane] = at_[lane] = logs[lane].begin();
    all.of[all.count++] = static_cast<std::uint8_t>(lane);
  }
  together(all, WarpSites::start, end);
  tally_.meeting();
}

/// Lanes that have just passed a place together, until each comes to the place `until` or to its end.
void WarpReplay::together(Lanes lanes, SiteNumber passed, SiteNumber until) {
  while (true) {
    while (step(lanes, until, passed)) {
    }
    bool all_there = true;
    for (int i = 0; i < lanes.count; ++i) {
      const SiteNumber site = next(lanes.of[i]);
      all_there &= site == until || site == end;
    }
    if (all_there) return;
    if (!has_joins_) find_joins();
    const SiteNumber join = graph_.join(passed);
    part(lanes, join);
    if (join == until || join == end) return;
    lanes = those_at(lanes, join);
    if (lanes.count == 0) return;
  }
}

/// Each group for itself, by its first lane's turn, until `join`.
void WarpReplay::part(const Lanes& lanes, SiteNumber join) {
  std::uint32_t left = 0;
  for (int i = 0; i < lanes.count; ++i) {
    const SiteNumber site = next(lanes.of[i]);
    if (site != join && site != end) left |= 1u << lanes.of[i];
  }
  while (left != 0) {
    const SiteNumber site = next(__builtin_ctz(left));
    Lanes group;
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      if (next(lane) != site) continue;
      group.of[group.count++] = static_cast<std::uint8_t>(lane);
      left &= ~(1u << lane);
    }
    SiteNumber passed = 0;
    step(group, join, passed);
    together(group, passed, join);
  }
}

WarpReplay::Lanes WarpReplay::those_at(const Lanes& lanes, SiteNumber site) const {
  Lanes there;
  for (int i = 0; i < lanes.count; ++i)
    if (next(lanes.of[i]) == site) there.of[there.count++] = lanes.of[i];
  return there;
}

/// One event of all of them. False: they are at different places, or at `until`, or at the end.
bool WarpReplay::step(const Lanes& lanes, SiteNumber until, SiteNumber& passed) {
  const std::uint64_t first = *at_[lanes.of[0]];
  const SiteNumber site = event::site(first);
  if (site == until || site == end) return false;
  std::uint64_t differing = 0;
  for (int i = 0; i < lanes.count; ++i) {
    const std::uint64_t event = *at_[lanes.of[i]];
    differing |= event ^ first;
    request_.at[i] = event::address(event);
  }
  if (event::site(differing) != 0) return false;
  for (int i = 0; i < lanes.count; ++i) ++at_[lanes.of[i]];
  passed = site;
  const Site& what = sites_[site];
  if (what.is == Site::Is::block) return true;
  if (what.is == Site::Is::meeting) {
    tally_.meeting();
    return true;
  }
  request_.lanes = lanes.count;
  request_.size = what.counts.size;
  for (int i = 0; i < lanes.count; ++i) request_.lane[i] = lanes.of[i];
  tally_.count(site, request_);
  return true;
}

void WarpReplay::find_joins() {
  graph_.clear();
  for (int lane = 0; lane < lanes_; ++lane)
    if (lane == 0 || !same_way(begin_[lane], begin_[lane - 1])) graph_.add(begin_[lane]);
  graph_.solve();
  has_joins_ = true;
}

}  // namespace uotbench::trace
