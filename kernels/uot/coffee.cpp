// In the manner of COFFEE (Sun, Luo, Jiang, Zhang, Li 2023): rows are summed and scaled while in cache,
// columns are summed in row order, then scaled in blocks of `col_block` columns, whose factors stay in the L1
// cache, and `rows` rows at once, which share each load of a factor.
#include "kernels/uot/timed/column_sums.hpp"
#include "kernels/uot/timed/plan_in_place.hpp"
#include "kernels/uot/timed/row_groups.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class Coffee {
 public:
  explicit Coffee(const Problem<Real>& problem)
      : p_(problem),
        plan_(problem),
        factors_(p_.N),
        sums_(problem),
        col_block_(static_cast<std::size_t>(p_.at.integer("col_block"))),
        rows_(p_.at.integer("rows")) {}

  void iterate() {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i) {
      Real* const row = plan_.row(i);
      Real sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < p_.N; ++j) sum += row[j];
      const Real factor = plan_.row_factor(i, sum);
      for (std::size_t j = 0; j < p_.N; ++j) row[j] *= factor;
    }
#pragma omp parallel
    {
      Real* const sums = sums_.mine();
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < p_.M; ++i)
        for (std::size_t j = 0; j < p_.N; ++j) sums[j] += plan_.row(i)[j];
    }
    sums_.reduce([&](std::size_t j, Real sum) { factors_[j] = plan_.column_factor(j, sum); });
#pragma omp parallel
    {
      const auto [first, last] = share(p_.M, omp_get_thread_num(), omp_get_num_threads());
      for (std::size_t left = 0; left < p_.N; left += col_block_)
        in_groups(rows_, first, last,
                  [&](auto R, std::size_t i) { scale<R()>(i, left, std::min(left + col_block_, p_.N)); });
    }
  }

  void finish(Result<Real>& out) { plan_.write(out); }

 private:
  /// Columns [left, right) of rows i .. i+R-1.
  template <int R>
  void scale(std::size_t i, std::size_t left, std::size_t right) {
    const Real* const factors = factors_.data();
    Real* const rows = plan_.row(i);
    const std::size_t N = p_.N;
#pragma omp simd
    for (std::size_t j = left; j < right; ++j)
      for (int r = 0; r < R; ++r) rows[r * N + j] *= factors[j];
  }

  const Problem<Real>& p_;
  PlanInPlace<Real> plan_;
  std::vector<Real> factors_;
  ColumnSums<Real> sums_;
  std::size_t col_block_;
  std::int64_t rows_;
};

/// RW, R, RW: five elements moved per cell; two additions and two products.
Work work(const Point& at) {
  return {.flops = 4 * cells(at),
          .bytes_read = 3 * width(at) * cells(at),
          .bytes_written = 2 * width(at) * cells(at)};
}

const Variant<Coffee<float>, Coffee<double>> variant{{
    .name = "uot/coffee",
    .summary = "COFFEE-style: row step fused, column scaling in tiles, in place (5 MN elements moved)",
    .axes = {{.name = "col_block", .standard = 1024, .least = 1, .about = "columns scaled at a time"},
             rows_at_once("rows scaled at a time")},
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
