// Column generation: a master that knows few arcs, and a pricing step that finds violated ones among all
// pairs, in turn until there is none (S. Gualandi, L.-M. Rousseau, Aussois 2020).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/worker/stop.hpp"
#include "kernels/simplex/timed/master.hpp"
#include "kernels/simplex/timed/pricing.hpp"
#include "results/base/error.hpp"

namespace uotbench::simplex {

struct ColgenOptions {
  double tolerance = 0;                         ///< reduced costs above -tolerance count as none
  std::int64_t most_rounds = 10000;             ///< more are an error
  std::optional<std::int64_t> stop_after = {};  ///< rounds, solved or not: for who wants their potentials
  double drop =
      4;  ///< from this number of arcs per point on, those outside the tree whose reduced cost is positive go
  double patience = 1;  ///< pivots for each new arc before all pairs are priced again; 0: all of them
};

/// What a solve did.
struct ColgenCounts {
  std::int64_t rounds = 0, added = 0, pivots = 0, degenerate = 0, scanned = 0;
  std::size_t most_arcs = 0;
  double evaluated = 0, skipped = 0;
};

/// `Cost`: cost(i, j). `Mark`: constructed with the name of a phase, it lasts as long as that.
template <class Cost, class Mark>
class Colgen {
 public:
  /// Masses are positive; they and `cost` outlive it.
  Colgen(std::span<const double> a, std::span<const double> b, const Cost& cost, const ColgenOptions& options)
      : a_(a),
        b_(b),
        cost_(cost),
        options_(options),
        master_(a, b),
        u_(a.size()),
        v_(b.size()),
        delta_(a.size()),
        target_(a.size()) {}

  /// From potentials that say what artificial arcs cost: where u_i - v_j is at least every c_ij, no flow
  /// stays on them. Else they get dearer on the way, by `raise` first and by four times as much each time.
  /// `price(u, v, threshold, priced, add)` fills `priced`, and calls add(i, j) for each arc that shall enter.
  /// Throws Error where it takes too many rounds. simplex/colgen writes these rounds out.
  template <class Price>
  void run(std::span<const double> u, std::span<const double> v, double raise, const Price& price) {
    start(u, v, raise);
    while (find_arcs(price)) {
      add_arcs();
      pivot();
    }
  }

  /// Before the first round: only artificial arcs.
  void start(std::span<const double> u, std::span<const double> v, double raise) {
    counts = {};
    std::ranges::copy(u, u_.begin());
    std::ranges::copy(v, v_.begin());
    master_.start(u_, v_);
    priced_ = {delta_, target_};
    raise_ = raise;
  }

  /// Prices all pairs by the master's potentials. False: no arc is violated, and no flow is left on
  /// artificial arcs, so that the master's plan is a cheapest one; or stop_after rounds have been.
  template <class Price>
  bool find_arcs(const Price& price) {
    for (;; ++counts.rounds) {
      end_if_stopped();
      if (options_.stop_after && counts.rounds >= *options_.stop_after) break;
      if (counts.rounds >= options_.most_rounds) fail(price);
      found_.clear();
      price(u_, v_, -options_.tolerance, priced_, [&](std::size_t i, std::size_t j) {
        found_.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), 0});
      });
      if (!found_.empty()) return true;
      if (!(master_.artificial_flow() > 1e-12 * total())) break;
      master_.raise(raise_);
      raise_ *= 4;
      take_potentials();
    }
    counts.pivots = master_.pivots;
    counts.degenerate = master_.degenerate;
    counts.scanned = master_.scanned;
    counts.evaluated = priced_.evaluated;
    counts.skipped = priced_.skipped;
    return false;
  }

  /// Gives the master the arcs found. Where it has too many, those outside its tree whose reduced cost is
  /// positive go first.
  void add_arcs() {
    const Mark mark("update");
    if (static_cast<double>(master_.arcs()) > options_.drop * static_cast<double>(a_.size() + b_.size()))
      master_.drop(options_.tolerance);
    for (Arc& arc : found_) {
      arc.cost = cost_(static_cast<std::size_t>(arc.source), static_cast<std::size_t>(arc.target));
      master_.add(arc);
    }
    counts.added += static_cast<std::int64_t>(found_.size());
    counts.most_arcs = std::max(counts.most_arcs, master_.arcs());
  }

  /// The network simplex on the arcs that the master knows, to the end or for `patience` pivots an arc: a
  /// round's last step, which gives the next one's potentials.
  void pivot() {
    {
      const Mark mark("pivot");
      const auto pivots = static_cast<std::int64_t>(options_.patience * static_cast<double>(found_.size()));
      master_.solve(options_.tolerance / 8,
                    options_.patience > 0 ? 100 + pivots : std::numeric_limits<std::int64_t>::max());
    }
    take_potentials();
    ++counts.rounds;
  }

  /// From now on reduced costs above -tolerance count as none.
  void tolerate(double tolerance) { options_.tolerance = tolerance; }

  std::span<const double> u() const { return u_; }
  std::span<const double> v() const { return v_; }
  const Master& master() const { return master_; }
  double bytes() const {
    return master_.bytes() + 8 * static_cast<double>(u_.size() + v_.size() + delta_.size()) +
           4 * static_cast<double>(target_.size()) + sizeof(Arc) * static_cast<double>(found_.capacity());
  }

  ColgenCounts counts;

 private:
  double total() const {
    double sum = 0;
    for (const double mass : a_) sum += mass;
    return sum;
  }

  void take_potentials() {
    for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = master_.u(i);
    for (std::size_t j = 0; j < v_.size(); ++j) v_[j] = master_.v(j);
  }

  /// u + delta and v prove a lower bound of the cost (of the Lagrangian).
  template <class Price>
  [[noreturn]] void fail(const Price& price) {
    Priced priced{delta_, target_};
    price(u_, v_, 0, priced, [](std::size_t, std::size_t) {});
    double bound = 0;
    for (std::size_t i = 0; i < u_.size(); ++i) bound += a_[i] * (u_[i] + delta_[i]);
    for (std::size_t j = 0; j < v_.size(); ++j) bound -= b_[j] * v_[j];
    char text[200];
    std::snprintf(
        text, sizeof text,
        "no solution after %lld rounds: the plan costs %.6g and no plan costs less than %.6g, a gap of "
        "%.3g; try a larger max_rounds",
        static_cast<long long>(counts.rounds), master_.cost(), bound, master_.cost() - bound);
    throw Error(text);
  }

  std::span<const double> a_, b_;
  const Cost& cost_;
  ColgenOptions options_;
  Master master_;
  std::vector<double> u_, v_, delta_;
  std::vector<std::int32_t> target_;
  Priced priced_;  ///< of the last round; its counts are of all rounds
  double raise_ = 0;
  std::vector<Arc> found_;
};

}  // namespace uotbench::simplex
