#include "harness/trace/warps/graph.hpp"

#include <algorithm>

#include "harness/trace/warps/log.hpp"

namespace uotbench::trace {

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

}  // namespace uotbench::trace
