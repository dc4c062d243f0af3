// Column generation from potentials that are nearly right: those of a coarser level of the same points, or of
// a few entropic iterations. Artificial arcs cost little more than those say, so that only arcs that are
// nearly tight come in.
#include "kernels/simplex/timed/sharded.hpp"
#include "kernels/simplex/timed/solving.hpp"
#include "kernels/simplex/timed/starting.hpp"

namespace uotbench::simplex {
namespace {

class WarmSolve : public ColgenKernel {
 public:
  explicit WarmSolve(const Problem<double>& p)
      : ColgenKernel(p), at_(p.at), pricing_(p.at.text("pricing"), costs_, p.at.size("arcs_per_row")) {}

  void part() {
    const Potentials start = start_at(at_, costs_.clouds, reduced_.a, reduced_.b, most_, exact_);
    solve(start, [&](auto u, auto v, double threshold, Priced& out, const auto& add) {
      pricing_(u, v, threshold, out, add);
    });
    pricing_bytes_ = pricing_.bytes();
  }

 private:
  const Point& at_;
  ShardedPricing pricing_;
};

const Variant<void, WarmSolve> warm_variant{{
    .name = "simplex/warm",
    .summary = "colgen from potentials of a coarser level, or of a few entropic iterations",
    .axes = colgen_axes(starting_axes({"coarse", "entropic"}, {arcs_axis(), pricing_axis()})),
    .refuse =
        [](const Point& at) {
          const std::string reason = cannot_price(at);
          return reason.empty() ? cannot_start(at) : reason;
        },
    .phases = {"price", "update", "pivot"},
    .matrices = 0,
}};

}  // namespace
}  // namespace uotbench::simplex
