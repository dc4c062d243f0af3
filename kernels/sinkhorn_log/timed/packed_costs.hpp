// Costs as the sums of shifted_steps.hpp read them: -C_ij log2(e) / reg, of 8 sums a vector of fields each,
// then of the next fields, so that a half step reads one stream and multiplies nothing. Each half step has
// a copy of its own.
#pragma once

#include "kernels/sinkhorn_log/timed/shifted_steps.hpp"

namespace uotbench::sinkhorn_log {

template <class Real>
class PackedSide {
  using P = PackOf<Real>;
  static constexpr std::size_t W = P::size(), R = sums_at_once;

 public:
  /// `over_rows`: sums over the rows of C, for log v; else over its columns.
  PackedSide(const Problem<Real>& p, bool over_rows)
      : own_(p.own_costs),
        from_(padded_lines(over_rows ? p.M : p.N)),
        item_(from_ * padded_lines(over_rows ? p.N : p.M)),
        cells_((p.own_costs ? p.B : 1) * item_) {
    const double scale = -std::numbers::log2e / static_cast<double>(p.reg);
    const std::size_t from = over_rows ? p.M : p.N, to = over_rows ? p.N : p.M;
#pragma omp parallel for schedule(static)
    for (std::size_t part = 0; part < cells_.size(); part += R * from_)
      for (std::size_t k = 0; k < R * from_; ++k) {
        // What pads is the last line again.
        const std::size_t i = std::min(k / (R * W) * W + k % W, from - 1);
        const std::size_t j = std::min(part % item_ / from_ + k / W % R, to - 1);
        const double cost = p.cost(part / item_, over_rows ? i : j, over_rows ? j : i);
        cells_[part + k] = static_cast<Real>(scale * cost);
      }
  }

  Real squares(std::size_t) const { return 0; }
  Real offset(std::size_t) const { return 0; }
  void prepare(std::size_t, std::size_t, std::size_t, Real*) const {}

  template <class Act>
  [[gnu::always_inline]] void terms(std::size_t item, std::size_t to, std::size_t, std::size_t, Real*,
                                    Act act) const {
    const Real* const group = cells_.data() + (own_ ? item * item_ : 0) + to * from_;
    act([group](P field, std::size_t i, std::size_t r) __attribute__((always_inline)) {
      return field + P(group + i * R + r * W, simd::element_aligned);
    });
  }

 private:
  bool own_;
  std::size_t from_, item_;  ///< lines that are summed over, cells of an item: padded
  Buffer<Real> cells_;
};

template <class Real>
struct PackedCosts {
  explicit PackedCosts(const Problem<Real>& p) : for_v(p, true), for_u(p, false) {}
  PackedSide<Real> for_v, for_u;
};

/// Elements of private memory that they take.
inline double packed_cells(const Point& at) {
  const double items = at.text("cost") == "own" ? at.number("B") : 1;
  const auto lines = [&](const char* axis) { return static_cast<double>(padded_lines(at.size(axis))); };
  return 2 * items * lines("M") * lines("N");
}
/// With ShiftedSteps.
inline double packed_elements(const Point& at) { return shifted_steps_elements(at) + packed_cells(at); }

}  // namespace uotbench::sinkhorn_log
