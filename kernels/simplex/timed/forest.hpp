// A plan without cycles. Solvers that are no simplex may spread flow over cycles, and give more than the M +
// N arcs that a plan has room for. Of the cheapest plan all cycles cost nothing: flow is moved along them
// until an arc is empty.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "kernels/simplex/problem.hpp"

namespace uotbench::simplex {

class Forest {
 public:
  Forest(std::size_t M, std::size_t N) : M_(M), at_(M + N), from_(M + N) {}

  void add(Flow arc) {
    const int source = arc.source, target = static_cast<int>(M_) + arc.target;
    if (!find(target, source)) return hang(arc);
    // Around the cycle: more along the new arc, then less and more by turns, from its target back to its
    // source.
    double most = arcs_[at(from_[at(source)])].amount;
    bool falls = true;
    const auto around = [&](const auto& act) {
      falls = true;  // the last one does, so the first one seen from here
      for (int x = source; x != target; x = other(from_[at(x)], x), falls = !falls)
        act(arcs_[at(from_[at(x)])]);
    };
    around([&](Flow& of) { most = falls ? std::min(most, of.amount) : most; });
    around([&](Flow& of) { of.amount += falls ? -most : most; });
    int empty = -1;
    for (int x = source; x != target; x = other(from_[at(x)], x))
      if (!(arcs_[at(from_[at(x)])].amount > 0)) empty = from_[at(x)];
    for (const int end : {arcs_[at(empty)].source, static_cast<int>(M_) + arcs_[at(empty)].target})
      std::erase(at_[at(end)], empty);
    arc.amount += most;
    hang(arc);
  }

  /// Arcs with flow.
  std::vector<Flow> plan() const {
    std::vector<Flow> kept;
    for (const Flow& arc : arcs_)
      if (arc.amount > 0) kept.push_back(arc);
    return kept;
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  int other(int arc, int node) const {
    const Flow& of = arcs_[at(arc)];
    return node == of.source ? static_cast<int>(M_) + of.target : of.source;
  }
  void hang(const Flow& arc) {
    at_[at(arc.source)].push_back(static_cast<int>(arcs_.size()));
    at_[M_ + at(arc.target)].push_back(static_cast<int>(arcs_.size()));
    arcs_.push_back(arc);
  }
  /// from_ then leads from `to` back to `begin`.
  bool find(int begin, int to) {
    open_.assign(1, {begin, -1});
    while (!open_.empty()) {
      const auto [node, by] = open_.back();
      open_.pop_back();
      from_[at(node)] = by;
      if (node == to) return true;
      for (const int arc : at_[at(node)])
        if (arc != by) open_.push_back({other(arc, node), arc});
    }
    return false;
  }

  std::size_t M_;
  std::vector<Flow> arcs_;            ///< those that became empty stay, and are no part of the forest
  std::vector<std::vector<int>> at_;  ///< arcs of the forest at a node; targets after the sources
  std::vector<int> from_;
  std::vector<std::pair<int, int>> open_;
};

}  // namespace uotbench::simplex
