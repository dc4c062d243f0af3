// The ways to price by name, for solvers.
#pragma once

#include <memory>
#include <string>

#include "kernels/simplex/timed/costs.hpp"
#include "kernels/simplex/timed/price_boxes.hpp"
#include "kernels/simplex/timed/price_gemm.hpp"
#include "kernels/simplex/timed/price_lanes.hpp"
#include "kernels/simplex/timed/price_loops.hpp"
#include "kernels/simplex/timed/price_matrix.hpp"
#include "kernels/simplex/timed/price_sorted.hpp"

namespace uotbench::simplex {

/// `which`: loops, lanes, sorted, boxes, gemm; best: what is quickest for this k. A matrix has one way.
inline std::unique_ptr<Pricing> pricing_named(const std::string& which, const Costs& costs) {
  const Clouds& clouds = costs.clouds;
  if (!costs.C.empty()) return std::make_unique<MatrixPricing>(costs.C, clouds.M, clouds.N);
  if (which == "loops") return std::make_unique<LoopPricing>(clouds, Pretests{}, true);
  if (which == "sorted") return std::make_unique<SortedPricing>(clouds);
  if (which == "lanes" && clouds.k == 2) return std::make_unique<LanePricing<2>>(clouds);
  if (which == "lanes" && clouds.k == 3) return std::make_unique<LanePricing<3>>(clouds);
  if (which != "gemm" && clouds.k == 2) return std::make_unique<BoxPricing<2>>(clouds);
  if (which != "gemm" && clouds.k == 3) return std::make_unique<BoxPricing<3>>(clouds);
  return std::make_unique<GemmPricing>(clouds);
}

}  // namespace uotbench::simplex
