// Latency and effective bandwidth of element-wise operations and stencils: X. He, "Accelerated linear algebra
// compiler for computationally efficient numerical models", PLOS ONE 2023, doi 10.1371/journal.pone.0282265,
// Eq. 9 to 12. For variants that declare Work::element.
#pragma once

#include <optional>
#include <string>

#include "results/view/view.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {

/// Seconds that the parts of an iteration take when nothing else goes on (section 4.1); overhead, which does
/// not grow with the elements, left out.
struct ElementTimes {
  double flops = 0;   ///< alpha N_e / FLOPS
  double memory = 0;  ///< beta_lo N_e s_f / BW_lo
  double cached = 0;  ///< beta_hi N_e s_f / BW_hi
};

struct ElementPrediction {
  std::string level;  ///< where its arrays live: BW_lo is this level's
  ElementTimes times;
  double least_latency = 0;    ///< Eq. 9: all parts at the same time, seconds an iteration
  double most_latency = 0;     ///< Eq. 9: one after another
  double least_bandwidth = 0;  ///< Eq. 10, bytes per second
  double most_bandwidth = 0;
  int equation = 11;     ///< 11: element-wise, flops wait for memory; 12: stencil, they overlap
  double bandwidth = 0;  ///< as that equation predicts it
  double measured = 0;   ///< beta_lo N_e s_f / latency
  double ratio() const { return measured / bandwidth; }
};

/// The hardware's parameters are measured: BW_lo the best copy at the level, BW_hi that of the level inside
/// (the same in L1), FLOPS the vector peak. Absent without Work::element, a time, or these ceilings.
/// `roofs`: of these ceilings and the case's setting.
std::optional<ElementPrediction> predicted(const CaseView& member, const Ceilings& ceilings,
                                           const Caches& caches, const Roofs& roofs);
std::optional<ElementPrediction> predicted(const CaseView& member, const Ceilings& ceilings,
                                           const Caches& caches);

}  // namespace uotbench
