// All arcs at once, block search: what network simplex codes do that know no geometry.
#include <algorithm>

#include "harness/worker/phases.hpp"
#include "kernels/simplex/problem.hpp"
#include "kernels/simplex/timed/master.hpp"
#include "kernels/simplex/timed/potentials.hpp"
#include "kernels/simplex/timed/reduced.hpp"

namespace uotbench::simplex {
namespace {

class DenseSolve {
 public:
  static constexpr KernelTraits declares{
      .unit = Unit::solve, .iterations = true, .work = true, .facts = true};

  explicit DenseSolve(const Problem<double>& p)
      : exact_(p.exact), reduced_(p), costs_(reduced_.costs()), master_(reduced_.a, reduced_.b) {}

  void part() {
    const std::size_t M = costs_.clouds.M, N = costs_.clouds.N;
    const double pairs = static_cast<double>(M) * static_cast<double>(N);
    do {
      {
        const Region costs("costs");
        const Potentials start = from_nothing(costs_.clouds, costs_.most(), exact_);
        master_.start(start.u, start.v);
        master_.reserve(M * N);
        for (std::size_t i = 0; i < M; ++i)
          for (std::size_t j = 0; j < N; ++j)
            master_.add({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), costs_(i, j)});
      }
      const Region pivot("pivot");
      master_.solve(reduced_.tolerance());
      const double scanned = static_cast<double>(master_.scanned);
      done_ = done_ + Work{.flops = 3 * static_cast<double>(costs_.clouds.k) * pairs + 2 * scanned,
                           .bytes_read = 32 * scanned,
                           .bytes_written = sizeof(Arc) * pairs};
    } while (reduced_.raise([&](const auto& act) { master_.plan(act); }));
  }

  std::optional<std::int64_t> iterations() const { return std::max<std::int64_t>(1, master_.pivots); }
  Work work() const { return done_; }
  Facts facts() const {
    if (master_.pivots == 0) return {};  // nothing ran yet: absent is not zero
    return {{"pivots", master_.pivots},
            {"degenerate_pivots", master_.degenerate},
            {"solver_bytes", reduced_.bytes() + master_.bytes()}};
  }

  void finish(Result<double>& out) {
    std::vector<double> u, v, all_u, all_v;
    for (std::size_t i = 0; i < costs_.clouds.M; ++i) u.push_back(master_.u(i));
    for (std::size_t j = 0; j < costs_.clouds.N; ++j) v.push_back(master_.v(j));
    reduced_.extend(u, v, all_u, all_v);
    std::vector<Flow> plan;
    master_.plan([&](std::int32_t i, std::int32_t j, double amount) {
      if (reduced_.forbids(i, j)) return;
      plan.push_back({reduced_.rows[static_cast<std::size_t>(i)],
                      reduced_.columns[static_cast<std::size_t>(j)], amount});
    });
    out.write(all_u, all_v, plan);
  }

 private:
  bool exact_;
  Reduced reduced_;
  Costs costs_;
  Master master_;
  Work done_;
};

const Variant<void, DenseSolve> dense_variant{
    {
        .name = "simplex/dense",
        .summary = "network simplex on all arcs, block search",
        .serial = true,
        .phases = {"costs", "pivot"},
    },
    {.matrix = true, .bytes = [](const Point& at) { return 16 * at.number("M") * at.number("N"); }}};

}  // namespace
}  // namespace uotbench::simplex
