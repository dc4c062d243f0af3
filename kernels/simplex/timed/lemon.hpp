// A solver of LEMON's as users call it: a graph of all pairs, costs and supplies as maps (B. Dezső, A.
// Jüttner, P. Kovács, "LEMON - an open source C++ graph template library", ENTCS 264, 2011).
#pragma once

#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include <cmath>
#include <memory>
#include <vector>

#include "harness/worker/phases.hpp"
#include "kernels/simplex/problem.hpp"
#include "kernels/simplex/timed/costs.hpp"
#include "kernels/simplex/timed/forest.hpp"

namespace uotbench::simplex {

/// `Solver`: a template over the graph, the type of flows and that of costs. `solve(solver)` returns whether
/// it found the optimum.
template <class Solver, bool (*solve)(Solver&)>
class LemonSolve {
 public:
  using Graph = lemon::SmartDigraph;
  static constexpr KernelTraits declares{.unit = Unit::solve, .iterations = true, .facts = true};

  explicit LemonSolve(const Problem<double>& p) : p_(p), costs_{{p.M, p.N, p.k, p.X, p.Y}, p.C} {}

  void part() {
    solver_.reset();
    graph_.clear();
    {
      const Region building("graph");
      graph_.reserveNode(static_cast<int>(p_.M + p_.N));
      graph_.reserveArc(static_cast<int>(p_.M * p_.N));
      for (std::size_t node = 0; node < p_.M + p_.N; ++node) graph_.addNode();
      for (std::size_t i = 0; i < p_.M; ++i)
        for (std::size_t j = 0; j < p_.N; ++j) graph_.addArc(node(i), node(p_.M + j));
      cost_ = std::make_unique<Graph::ArcMap<std::int64_t>>(graph_);
      for (std::size_t i = 0; i < p_.M; ++i)
        for (std::size_t j = 0; j < p_.N; ++j) (*cost_)[arc(i, j)] = std::llround(costs_(i, j));
      supply_ = std::make_unique<Graph::NodeMap<std::int64_t>>(graph_);
      for (std::size_t i = 0; i < p_.M; ++i) (*supply_)[node(i)] = std::llround(p_.a[i]);
      for (std::size_t j = 0; j < p_.N; ++j) (*supply_)[node(p_.M + j)] = -std::llround(p_.b[j]);
    }
    const Region solving("solve");
    solver_ = std::make_unique<Solver>(graph_);
    solver_->costMap(*cost_).supplyMap(*supply_);
    if (!solve(*solver_)) throw Error("LEMON found no solution");
  }

  void finish(Result<double>& out) {
    std::vector<double> u, v;
    Forest plan(p_.M, p_.N);
    for (std::size_t i = 0; i < p_.M; ++i) u.push_back(-static_cast<double>(solver_->potential(node(i))));
    for (std::size_t j = 0; j < p_.N; ++j)
      v.push_back(-static_cast<double>(solver_->potential(node(p_.M + j))));
    for (std::size_t i = 0; i < p_.M; ++i)
      for (std::size_t j = 0; j < p_.N; ++j)
        if (const std::int64_t flow = solver_->flow(arc(i, j)); flow > 0)
          plan.add({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), static_cast<double>(flow)});
    out.write(u, v, plan.plan());
  }
  /// A call: LEMON does not report its pivots.
  std::optional<std::int64_t> iterations() const { return 1; }
  Facts facts() const { return {{"library", "LEMON 1.3"}}; }

 private:
  Graph::Node node(std::size_t index) const { return graph_.nodeFromId(static_cast<int>(index)); }
  Graph::Arc arc(std::size_t i, std::size_t j) const {
    return graph_.arcFromId(static_cast<int>(i * p_.N + j));
  }

  const Problem<double>& p_;
  Costs costs_;
  Graph graph_;
  std::unique_ptr<Graph::ArcMap<std::int64_t>> cost_;
  std::unique_ptr<Graph::NodeMap<std::int64_t>> supply_;
  std::unique_ptr<Solver> solver_;
};

inline VariantSpec lemon_spec(const char* name, const char* summary) {
  return {.name = name,
          .summary = summary,
          .serial = true,
          .phases = {"graph", "solve"},
          .foreign_code = [](const Point&) -> std::string { return "LEMON"; }};
}
/// `bytes` an arc: graph, maps and the solver's own arrays. Arcs are numbered by an int.
template <int bytes>
Takes lemon_takes() {
  return {.matrix = false, .only_exact = true, .bytes = [](const Point& at) {
            return bytes * at.number("M") * at.number("N");
          }};
}

}  // namespace uotbench::simplex
