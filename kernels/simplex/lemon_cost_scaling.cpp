// LEMON's cost scaling: push and augment, its default.
// needs: LEMON
#include <lemon/cost_scaling.h>

#include "kernels/simplex/parts/lemon.hpp"

namespace uotbench::simplex {
namespace {

using LemonCostScaling = lemon::CostScaling<lemon::SmartDigraph, std::int64_t, std::int64_t>;

bool solved_by_cost_scaling(LemonCostScaling& solver) { return solver.run() == LemonCostScaling::OPTIMAL; }

const Variant<void, LemonSolve<LemonCostScaling, solved_by_cost_scaling>> lemon_cost_scaling_variant{
    lemon_spec("simplex/lemon_cost_scaling", "LEMON's cost scaling, all arcs"), lemon_takes()};

}  // namespace
}  // namespace uotbench::simplex
