// LEMON's cycle canceling: cancel and tighten (A. V. Goldberg, R. E. Tarjan, "Finding
// minimum-cost circulations by canceling negative cycles", JACM 36, 1989).
// needs: LEMON
#include "kernels/simplex/timed/lemon_static.hpp"

namespace uotbench::simplex {
namespace {

using LemonCycleCanceling = lemon::CycleCanceling<lemon::SmartDigraph, std::int64_t, std::int64_t>;

bool solved_by_cycle_canceling(LemonCycleCanceling& solver) {
  return solver.run() == LemonCycleCanceling::OPTIMAL;
}

const Variant<void, LemonSolve<LemonCycleCanceling, solved_by_cycle_canceling>> lemon_cycle_canceling_variant{
    lemon_spec("simplex/lemon_cycle_canceling", "LEMON's cycle canceling, all arcs"), lemon_takes<300>()};

}  // namespace
}  // namespace uotbench::simplex
