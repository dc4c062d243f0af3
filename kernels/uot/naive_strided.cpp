// Plain C (Sun, Hu, Jiang 2024, Fig. 1): as uot/numpy_order, but the column sweeps walk down one column after
// the other, with stride N. Where M cache lines do not fit a cache, each of these accesses moves a whole
// line.
#include "kernels/uot/timed/as_written.hpp"
#include "kernels/uot/timed/plan_in_place.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class NaiveStrided {
 public:
  explicit NaiveStrided(const Problem<Real>& problem)
      : p_(problem), plan_(problem), row_factors_(p_.M), column_factors_(p_.N) {}

  void iterate() {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i) {
      const Real* const row = plan_.row(i);
      Real sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < p_.N; ++j) sum += row[j];
      row_factors_[i] = plan_.row_factor(i, sum);
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i)
      for (std::size_t j = 0; j < p_.N; ++j) plan_.row(i)[j] *= row_factors_[i];
#pragma omp parallel for schedule(static)
    for (std::size_t j = 0; j < p_.N; ++j) {
      Real sum = 0;
      for (std::size_t i = 0; i < p_.M; ++i) {
        sum += plan_.row(i)[j];
        as_written();
      }
      column_factors_[j] = plan_.column_factor(j, sum);
    }
#pragma omp parallel for schedule(static)
    for (std::size_t j = 0; j < p_.N; ++j)
      for (std::size_t i = 0; i < p_.M; ++i) {
        plan_.row(i)[j] *= column_factors_[j];
        as_written();
      }
  }

  void finish(Result<Real>& out) { plan_.write(out); }

 private:
  const Problem<Real>& p_;
  PlanInPlace<Real> plan_;
  std::vector<Real> row_factors_, column_factors_;
};

/// R, RW, R strided, RW strided: six elements moved per cell where a line stays in some cache from one column
/// to the next; where M lines do not fit one, or fall into few of its sets as they do for N a power of two
/// (at 2048 x 2048 8.5 times the model is counted, at 2048 x 2080 1.00 times), the last two sweeps move a
/// whole line per element, up to line size / element size times the model. Two additions and two products.
Work work(const Point& at) {
  return {.flops = 4 * cells(at),
          .bytes_read = 4 * width(at) * cells(at),
          .bytes_written = 2 * width(at) * cells(at)};
}

const Variant<NaiveStrided<float>, NaiveStrided<double>> variant{{
    .name = "uot/naive_strided",
    .summary = "plain C, columns walked with stride N (6 MN elements moved, and more for tall plans)",
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
