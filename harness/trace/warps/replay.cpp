#include "harness/trace/warps/replay.hpp"

#include <algorithm>

#include "harness/trace/warps/log.hpp"

namespace uotbench::trace {
namespace {

constexpr SiteNumber end = WarpSites::end;

bool same_way(const std::uint64_t* a, const std::uint64_t* b) {
  while (event::site(*a) == event::site(*b) && event::site(*a) != end) ++a, ++b;
  return event::site(*a) == event::site(*b);
}

}  // namespace

WarpGraph::WarpGraph() : number_(std::size_t{WarpSites::end} + 1, -1) { clear(); }

void WarpGraph::clear() {
  for (int i = 0; i < count_; ++i) number_[nodes_[i].site] = -1;
  count_ = 0;
  edges_.clear();
  hash_ = 0;
  node(WarpSites::start);
}

int WarpGraph::node(SiteNumber site) {
  int& number = number_[site];
  if (number < 0) {
    number = count_++;
    if (nodes_.size() < static_cast<std::size_t>(count_)) nodes_.emplace_back();
    Node& fresh = nodes_[number];
    fresh.site = site;
    fresh.next.clear();
  }
  return number;
}

void WarpGraph::connect(int from, int to) {
  auto& next = nodes_[from].next;
  if (std::ranges::find(next, to) != next.end()) return;
  next.push_back(to);
  edges_.push_back(static_cast<std::uint32_t>(nodes_[from].site) << 16 | nodes_[to].site);
  hash_ = (hash_ ^ edges_.back()) * 0x100000001b3;  // as FNV-1a, an edge at a time
}

void WarpGraph::add(const std::uint64_t* events) {
  for (int from = number_[WarpSites::start];; ++events) {
    const SiteNumber site = event::site(*events);
    const int to = node(site);
    connect(from, to);
    if (site == WarpSites::end) return;
    from = to;
  }
}

void WarpGraph::solve() {
  const auto [first, last] = solved_.equal_range(hash_);
  for (auto known = first; known != last; ++known) {
    if (known->second.edges != edges_) continue;
    joins_ = &known->second.joins;
    return;
  }
  constexpr std::size_t most = 4096;
  if (solved_.size() == most) solved_.clear();
  joins_ = &solved_.emplace(hash_, Solved{edges_, post_dominators()})->second.joins;
}

void WarpGraph::forget() {
  solved_.clear();
  joins_ = nullptr;
}

void WarpGraph::number_backwards(int from, std::vector<int>& order) {
  struct Step {
    int node;
    std::size_t done;
  };
  std::vector<Step> way{{from, 0}};
  constexpr int entered = -2;
  nodes_[from].order = entered;
  while (!way.empty()) {
    Step& step = way.back();
    const auto& before = nodes_[step.node].before;
    if (step.done == before.size()) {
      nodes_[step.node].order = static_cast<int>(order.size());
      order.push_back(step.node);
      way.pop_back();
      continue;
    }
    const int next = before[step.done++];
    if (nodes_[next].order != -1) continue;
    nodes_[next].order = entered;
    way.push_back({next, 0});
  }
}

/// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001), Figure 3, with all edges turned round.
/// Every node has a way to the end: the lane's that came there.
WarpGraph::Joins WarpGraph::post_dominators() {
  for (int i = 0; i < count_; ++i) {
    nodes_[i].before.clear();
    nodes_[i].order = nodes_[i].join = -1;
  }
  for (int i = 0; i < count_; ++i)
    for (const int next : nodes_[i].next) nodes_[next].before.push_back(i);
  const int end = number_[WarpSites::end];
  std::vector<int> order;
  number_backwards(end, order);
  nodes_[end].join = end;
  const auto common = [&](int a, int b) {
    while (a != b) {
      while (nodes_[a].order < nodes_[b].order) a = nodes_[a].join;
      while (nodes_[b].order < nodes_[a].order) b = nodes_[b].join;
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto i = order.rbegin() + 1; i != order.rend(); ++i) {
      int join = -1;
      for (const int next : nodes_[*i].next)
        if (nodes_[next].join >= 0) join = join < 0 ? next : common(next, join);
      changed |= nodes_[*i].join != join;
      nodes_[*i].join = join;
    }
  }
  Joins joins;
  for (int i = 0; i < count_; ++i) joins.push_back(nodes_[nodes_[i].join].site);
  return joins;
}

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
