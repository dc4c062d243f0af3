// LEMON's cancel and tighten, the default of its cycle cancelling algorithms.
// needs: LEMON
#include <lemon/cycle_canceling.h>

#include "kernels/simplex/parts/lemon.hpp"

namespace uotbench::simplex {
namespace {

using LemonCycleCanceling = lemon::CycleCanceling<lemon::SmartDigraph, std::int64_t, std::int64_t>;

bool solved_by_cycle_canceling(LemonCycleCanceling& solver) {
  return solver.run() == LemonCycleCanceling::OPTIMAL;
}

const Variant<void, LemonSolve<LemonCycleCanceling, solved_by_cycle_canceling>> lemon_cycle_canceling_variant{
    lemon_spec("simplex/lemon_cycle_canceling", "LEMON's cycle cancelling, all arcs"), lemon_takes()};

}  // namespace
}  // namespace uotbench::simplex
