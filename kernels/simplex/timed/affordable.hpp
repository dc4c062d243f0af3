// A matrix of costs whose largest entries are cut down to what a cheapest plan could use. A pair that costs a
// billion times more than the others is in no plan but where it must be, and would leave no digits for the
// others: potentials are sums of costs, and tolerances are shares of the largest. A forbidden pair costs
// infinity.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "results/base/error.hpp"

namespace uotbench::simplex {

/// Costs cut at a limit are lower bounds: where a plan that is cheapest for them uses no pair that was cut,
/// it is the cheapest, with the same potentials. Where it does, the limit rises.
class Affordable {
 public:
  /// `C`: M x N, rows of N. They outlive it. Nothing is copied where no cost is far from the others.
  Affordable(std::span<const double> C, std::size_t rows, std::size_t columns)
      : whole_(C), points_(static_cast<double>(rows + columns)) {
    // How many costs have which power of two. A plan needs one pair for each line, so costs beyond
    // that number and beyond a wide gap are far.
    constexpr int lowest = -1100, powers = 2200, wide = 8;
    std::vector<std::size_t> counts(powers);
    bool forbidden = false;
    std::size_t below = 0;
    for (const double c : C) {
      if (c == infinity) forbidden = true;
      if (c == 0) ++below;
      if (c == 0 || !std::isfinite(c)) continue;
      ++counts[static_cast<std::size_t>(std::ilogb(c) - lowest)];
      most_ = std::max(most_, std::abs(c));
    }
    int last = -1;
    double limit = forbidden ? 2 * most_ + 1e-300 : infinity;
    for (int power = 0; power < powers; ++power) {
      const std::size_t count = counts[static_cast<std::size_t>(power)];
      if (count == 0) continue;
      if (last >= 0 && power - last > wide && below >= std::max(rows, columns)) {
        limit = step * std::ldexp(1, last + lowest);
        break;
      }
      below += count;
      last = power;
    }
    if (limit == infinity) return;
    limit_ = limit;
    cut_.assign(C.begin(), C.end());
    cut();
  }
  Affordable(const Affordable&) = delete;
  Affordable& operator=(const Affordable&) = delete;

  std::span<const double> costs() const { return cut_.empty() ? whole_ : cut_; }
  bool forbids(std::size_t cell) const { return whole_[cell] == infinity; }

  /// After a solve: true where `each_flow(act)`, which calls act(cell) for the cells of C with flow, meets
  /// one that was cut. Then costs() are larger, in the same place, and it is to be solved anew. Throws Error
  /// where no plan avoids forbidden pairs.
  template <class EachFlow>
  bool raise(const EachFlow& each_flow) {
    if (cut_.empty()) return false;
    bool used = false;
    each_flow([&](std::size_t cell) { used = used || whole_[cell] > limit_; });
    if (!used) return false;
    // Beyond this no plan without such pairs is dearer than one with such a pair.
    const double enough = points_ * most_ + 1;
    if (limit_ >= enough) throw Error("no plan avoids the forbidden pairs, whose costs are infinite");
    limit_ = step * limit_ < most_ ? step * limit_ : enough;
    cut();
    return true;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double step = 16;

  void cut() {
    for (std::size_t e = 0; e < cut_.size(); ++e) cut_[e] = std::min(whole_[e], limit_);
  }

  std::span<const double> whole_;
  double points_, most_ = 0, limit_ = infinity;
  std::vector<double> cut_;  ///< empty: nothing is cut
};

}  // namespace uotbench::simplex
