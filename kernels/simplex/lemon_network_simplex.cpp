// LEMON's primal network simplex with block search, its default.
// needs: LEMON
#include "kernels/simplex/timed/lemon.hpp"

namespace uotbench::simplex {
namespace {

using LemonNetworkSimplex = lemon::NetworkSimplex<lemon::SmartDigraph, std::int64_t, std::int64_t>;

bool solved_by_network_simplex(LemonNetworkSimplex& solver) {
  return solver.run() == LemonNetworkSimplex::OPTIMAL;
}

const Variant<void, LemonSolve<LemonNetworkSimplex, solved_by_network_simplex>> lemon_network_simplex_variant{
    lemon_spec("simplex/lemon_network_simplex", "LEMON's network simplex, all arcs"), lemon_takes<100>()};

}  // namespace
}  // namespace uotbench::simplex
