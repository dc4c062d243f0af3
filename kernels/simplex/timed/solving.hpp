// What the column generating solvers share: a whole solve as what is timed, its counts, its answer.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/worker/phases.hpp"
#include "kernels/simplex/problem.hpp"
#include "kernels/simplex/timed/colgen.hpp"
#include "kernels/simplex/timed/potentials.hpp"
#include "kernels/simplex/timed/reduced.hpp"

namespace uotbench::simplex {

inline std::vector<Axis> colgen_axes(std::vector<Axis> more = {}) {
  using enum Axis::Kind;
  std::vector<Axis> axes{
      {.name = "drop",
       .kind = number,
       .standard = 4,
       .least = 1,
       .about = "arcs a point from which on those with a positive reduced cost are dropped"},
      {.name = "patience",
       .kind = number,
       .standard = 1,
       .least = 0,
       .about = "pivots a new arc until all pairs are priced again; 0: until the master is solved"},
      {.name = "max_rounds", .standard = 100000, .least = 1, .about = "a solve that needs more has failed"}};
  for (Axis& axis : more) axes.push_back(std::move(axis));
  return axes;
}

inline ColgenOptions options_at(const Point& at, double tolerance) {
  return {.tolerance = tolerance,
          .most_rounds = at.integer("max_rounds"),
          .drop = at.number("drop"),
          .patience = at.number("patience")};
}

/// What the record contains of a solve of M x N pairs.
inline Facts colgen_facts(const ColgenCounts& n, double pairs, double bytes) {
  if (n.rounds == 0) return {};  // nothing ran yet: absent is not zero
  return {{"rounds", n.rounds},
          {"arcs_added", n.added},
          {"arcs_share", static_cast<double>(n.added) / pairs},
          {"arcs_at_once", static_cast<std::int64_t>(n.most_arcs)},
          {"pivots", n.pivots},
          {"degenerate_pivots", n.degenerate},
          {"pairs_evaluated", n.evaluated},
          {"pairs_skipped", n.skipped},
          {"solver_bytes", bytes}};
}

/// `flops` a pair. An arc that the master looks at: itself and two potentials. A pricing step: all points, of
/// `numbers` each, and the potentials.
inline Work colgen_work(const ColgenCounts& n, double flops, double numbers, std::size_t M, std::size_t N) {
  const double scanned = static_cast<double>(n.scanned), rounds = static_cast<double>(n.rounds);
  return Work{.flops = flops * n.evaluated + 2 * scanned,
              .bytes_read = 32 * scanned + 8 * numbers * static_cast<double>(M + N) * rounds,
              .bytes_written = 12 * static_cast<double>(M) * rounds};
}

/// A solver's kernel but for part(), which calls solve(), or goes through the rounds itself.
class ColgenKernel {
 public:
  static constexpr KernelTraits declares{
      .unit = Unit::solve, .iterations = true, .work = true, .facts = true};

  explicit ColgenKernel(const Problem<double>& p)
      : exact_(p.exact),
        reduced_(p),
        costs_(reduced_.costs()),
        most_(costs_.most()),
        k_(static_cast<double>(p.k)),
        colgen_(reduced_.a, reduced_.b, costs_, options_at(p.at, reduced_.tolerance())) {}

  std::optional<std::int64_t> iterations() const { return std::max<std::int64_t>(1, colgen_.counts.rounds); }
  Work work() const { return done_; }

  void finish(Result<double>& out) {
    std::vector<Flow> plan;
    colgen_.master().plan([&](std::int32_t i, std::int32_t j, double amount) {
      if (reduced_.forbids(i, j)) return;
      plan.push_back({reduced_.rows[static_cast<std::size_t>(i)],
                      reduced_.columns[static_cast<std::size_t>(j)], amount});
    });
    std::vector<double> u, v;
    reduced_.extend(colgen_.u(), colgen_.v(), u, v);
    out.write(u, v, plan);
  }

  Facts facts() const {
    const double pairs = static_cast<double>(costs_.clouds.M) * static_cast<double>(costs_.clouds.N);
    return colgen_facts(colgen_.counts, pairs, reduced_.bytes() + colgen_.bytes() + pricing_bytes_);
  }

 protected:
  /// `start`: what artificial arcs cost.
  template <class Price>
  void solve(const Potentials& start, const Price& price) {
    colgen_.run(start.u, start.v, start.raise, price);
    count_work();
  }
  /// After a solve.
  void count_work() {
    done_ = done_ + colgen_work(colgen_.counts, 2 * k_, k_ + 2, costs_.clouds.M, costs_.clouds.N);
  }
  /// After a solve: whether costs that were cut down are larger now, and it is to be solved anew
  /// (affordable.hpp).
  bool raise_costs() {
    if (!reduced_.raise([&](const auto& act) { colgen_.master().plan(act); })) return false;
    most_ = costs_.most();
    colgen_.tolerate(reduced_.tolerance());
    return true;
  }
  /// What artificial arcs cost where nothing is known.
  Potentials nothing() const { return from_nothing(costs_.clouds, most_, exact_); }

  bool exact_;
  Reduced reduced_;
  Costs costs_;
  double most_, k_;
  double pricing_bytes_ = 0;
  Colgen<Costs, Region> colgen_;
  Work done_;
};

}  // namespace uotbench::simplex
