// LEMON's cost scaling: push-relabel with partial augmentations (A. V. Goldberg, "An efficient
// implementation of a scaling minimum-cost flow algorithm", J. Algorithms 22, 1997).
// needs: LEMON
#include "kernels/simplex/timed/lemon_static.hpp"

namespace uotbench::simplex {
namespace {

using LemonCostScaling = lemon::CostScaling<lemon::SmartDigraph, std::int64_t, std::int64_t>;

bool solved_by_cost_scaling(LemonCostScaling& solver) { return solver.run() == LemonCostScaling::OPTIMAL; }

const Variant<void, LemonSolve<LemonCostScaling, solved_by_cost_scaling>> lemon_cost_scaling_variant{
    lemon_spec("simplex/lemon_cost_scaling", "LEMON's cost scaling, all arcs"), lemon_takes<250>()};

}  // namespace
}  // namespace uotbench::simplex
