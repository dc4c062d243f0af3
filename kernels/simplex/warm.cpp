// Column generation from the potentials of a coarser level of the same points: artificial arcs cost little
// more than those say, so that only arcs that are nearly tight come in.
#include <cmath>

#include "kernels/simplex/parts/coarse.hpp"
#include "kernels/simplex/parts/sharded.hpp"
#include "kernels/simplex/parts/solving.hpp"

namespace uotbench::simplex {
namespace {

class WarmSolve : public ColgenKernel {
 public:
  explicit WarmSolve(const Problem<double>& p)
      : ColgenKernel(p),
        exact_(p.exact),
        margin_(p.at.number("margin")),
        pricing_(p.at.text("pricing"), costs_, p.at.size("arcs_per_row")) {}

  void part() {
    Potentials start = coarse_potentials<Region>(costs_.clouds, reduced_.a, reduced_.b, most_);
    double raise = margin_ * start.raise;
    if (exact_) {
      for (double& u : start.u) u = std::round(u);
      for (double& v : start.v) v = std::round(v);
      raise = std::ceil(raise);
    }
    raise = std::max(raise, exact_ ? 1 : 1e-9 * most_ + 1e-300);
    for (double& u : start.u) u += raise;
    solve(start.u, start.v, raise, [&](auto u, auto v, double threshold, Priced& out, const auto& add) {
      pricing_(u, v, threshold, out, add);
    });
    pricing_bytes_ = pricing_.bytes();
  }

 private:
  bool exact_;
  double margin_;
  ShardedPricing pricing_;
};

const Variant<void, WarmSolve> warm_variant{{
    .name = "simplex/warm",
    .summary = "colgen from the potentials of a coarser level",
    .axes = colgen_axes(
        {arcs_axis(),
         pricing_axis(),
         {.name = "margin",
          .kind = Axis::Kind::number,
          .standard = 1,
          .least = 0,
          .about = "what artificial arcs cost beyond the potentials, in squares of a group's size"}}),
    .refuse = cannot_price,
    .phases = {"price", "update", "pivot"},
    .matrices = 0,
}};

}  // namespace
}  // namespace uotbench::simplex
