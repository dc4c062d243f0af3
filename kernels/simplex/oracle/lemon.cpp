// LEMON's network simplex as the oracle's second opinion (B. Dezső, A. Jüttner, P. Kovács, "LEMON - an open
// source C++ graph template library", ENTCS 264, 2011).
// needs: LEMON
#include <lemon/full_graph.h>
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include <cmath>

#include "kernels/simplex/oracle/given.hpp"
#include "results/base/error.hpp"

namespace uotbench::simplex {
namespace {

double by_lemon(const Given& given) {
  using Graph = lemon::SmartDigraph;
  Graph graph;
  graph.reserveNode(static_cast<int>(given.M + given.N));
  graph.reserveArc(static_cast<int>(given.M * given.N));
  for (std::size_t node = 0; node < given.M + given.N; ++node) graph.addNode();
  Graph::NodeMap<std::int64_t> supply(graph);
  for (std::size_t i = 0; i < given.M; ++i)
    supply[graph.nodeFromId(static_cast<int>(i))] = std::llround(given.a[i]);
  for (std::size_t j = 0; j < given.N; ++j)
    supply[graph.nodeFromId(static_cast<int>(given.M + j))] = -std::llround(given.b[j]);
  for (std::size_t i = 0; i < given.M; ++i)
    for (std::size_t j = 0; j < given.N; ++j)
      graph.addArc(graph.nodeFromId(static_cast<int>(i)), graph.nodeFromId(static_cast<int>(given.M + j)));
  Graph::ArcMap<std::int64_t> cost(graph);
  for (std::size_t i = 0; i < given.M; ++i)
    for (std::size_t j = 0; j < given.N; ++j)
      cost[graph.arcFromId(static_cast<int>(i * given.N + j))] = std::llround(given.cost(i, j));
  lemon::NetworkSimplex<Graph, std::int64_t> simplex(graph);
  simplex.costMap(cost).supplyMap(supply);
  if (simplex.run() != decltype(simplex)::OPTIMAL) throw Error("LEMON's network simplex found no solution");
  return static_cast<double>(simplex.totalCost());
}

const bool known = [] {
  lemon() = by_lemon;
  return true;
}();

}  // namespace
}  // namespace uotbench::simplex
