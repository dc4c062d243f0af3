// Column generation from nothing: the master, a network simplex, begins with artificial arcs alone, and
// learns of the most violated arcs of each source among all pairs, until there are none (S. Gualandi, L.-M.
// Rousseau, Aussois 2020).
#include "kernels/simplex/parts/sharded.hpp"
#include "kernels/simplex/parts/solving.hpp"

namespace uotbench::simplex {
namespace {

class ColgenSolve : public ColgenKernel {
 public:
  explicit ColgenSolve(const Problem<double>& p)
      : ColgenKernel(p), pricing_(p.at.text("pricing"), costs_, p.at.size("arcs_per_row")) {}

  void part() {
    // Of each source i min_j c_ij - u_i + v_j, and add(i, j) where that is below the threshold.
    const auto price = [&](auto u, auto v, double threshold, Priced& out, const auto& add) {
      pricing_(u, v, threshold, out, add);
    };
    do {
      const Potentials start = nothing();
      colgen_.start(start.u, start.v, start.raise);
      while (colgen_.find_arcs(price)) {
        colgen_.add_arcs();
        colgen_.pivot();
      }
      count_work();
    } while (raise_costs());
    pricing_bytes_ = pricing_.bytes();
  }

 private:
  ShardedPricing pricing_;
};

const Variant<void, ColgenSolve> colgen_variant{
    {
        .name = "simplex/colgen",
        .summary = "network simplex on few arcs, all pairs priced in between",
        .axes = colgen_axes({arcs_axis(), pricing_axis()}),
        .refuse = cannot_price,
        .phases = {"price", "update", "pivot"},
        .matrices = 0,
    },
    {.matrix = true}};

}  // namespace
}  // namespace uotbench::simplex
