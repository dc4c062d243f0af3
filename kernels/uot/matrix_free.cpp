// K is never stored: each entry is computed from its two points where it is needed, in memory for M + N
// numbers. While a few rows' entries fit in the second cache they are kept there from the row sums to the
// column sums (one_read's order: each is computed once), for others both half steps compute them: more
// arithmetic, no traffic, any size.
#include <optional>

#include "kernels/uot/timed/dimensions.hpp"
#include "kernels/uot/timed/points_pass.hpp"
#include "kernels/uot/timed/scalings.hpp"

namespace uotbench::uot {
namespace {

constexpr std::size_t R = rows_of_points;

bool keeps(const Point& at) {
  const std::string keep = at.text("keep");
  // Half of a second cache of 1 MiB; and column sums that are added to one by one lose digits.
  constexpr double bytes = 512 * 1024, rows = 1 << 17;
  return keep == "on" ||
         (keep == "auto" && R * at.number("N") * width(at) <= bytes && at.number("M") <= rows);
}

template <class Real>
class MatrixFree {
 public:
  static constexpr KernelTraits declares{.restarts = true, .facts = true};
  static constexpr Takes takes{.from_points = true};

  explicit MatrixFree(const Problem<Real>& problem)
      : p_(problem),
        K_(problem),
        scalings_(problem),
        row_weights_(K_.rows.size()),
        column_weights_(K_.columns.size()),
        row_sums_(K_.rows.size()) {
    if (keeps(p_.at))
      kept_.emplace(problem);
    else
      column_sums_.resize(K_.columns.size());
  }

  void restart() { scalings_.restart(); }

  void iterate() {
    scalings_.remember();
    kept_ ? iterate_kept() : in_dimensions(p_.d, [&](auto D) { iterate_twice<D()>(); });
  }

  Change<Real> change() const { return scalings_.change(); }

  void finish(Result<Real>& out) {
    if (!out.plan.empty()) K_.write_plan(scalings_.u, scalings_.v, out.plan);
    out.write_scalings(scalings_.u, scalings_.v);
  }

  Facts facts() const { return {{"entries", kept_ ? "kept" : "computed twice"}}; }

 private:
  Real next_row(std::size_t i, Real sum) {
    return scalings_.u[i] = next_scaling(scalings_.u[i], p_.a[i], sum, p_);
  }
  void next_column(std::size_t j, Real sum) {
    scalings_.v[j] = next_scaling(scalings_.v[j], p_.b[j], sum, p_);
  }

  void iterate_kept() {
    kept_->rows(K_, scalings_.v.data(), [&](std::size_t i, Real sum) { return next_row(i, sum); });
    kept_->columns([&](std::size_t j, Real sum) { next_column(j, sum); });
  }

  template <int D>
  void iterate_twice() {
    KOfPoints<Real>::weigh(scalings_.v, K_.column_measure, column_weights_);
    multiply<D>(K_.rows, K_.columns, column_weights_, row_sums_);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i) next_row(i, K_.row_measure[i] * row_sums_[i]);
    KOfPoints<Real>::weigh(scalings_.u, K_.row_measure, row_weights_);
    multiply<D>(K_.columns, K_.rows, row_weights_, column_sums_);
#pragma omp parallel for schedule(static)
    for (std::size_t j = 0; j < p_.N; ++j) next_column(j, K_.column_measure[j] * column_sums_[j]);
  }

  const Problem<Real>& p_;
  KOfPoints<Real> K_;
  Scalings<Real> scalings_;
  std::vector<Real> row_weights_, column_weights_, row_sums_, column_sums_;
  std::optional<PointsPass<Real>> kept_;  ///< none: entries are computed twice
};

double entry_flops(const Point& at) {
  const auto d = static_cast<std::size_t>(dimensions_of(at));
  return at.text("dtype") == "f64" ? gibbs_flops<double>(d) : gibbs_flops<float>(d);
}

/// Each entry once or twice; two products and two additions. Points, masses and scalings are all that comes
/// from memory.
Work work(const Point& at) {
  const double points = at.number("M") + at.number("N");
  const auto d = static_cast<double>(dimensions_of(at));
  const double kept = keeps(at) ? R * at.number("N") * width(at) * at.number("threads") : 0;
  return {.flops = ((keeps(at) ? 1 : 2) * entry_flops(at) + 4) * cells(at),
          .bytes_read = (d + 2) * width(at) * points,
          .bytes_written = width(at) * points,
          .working_set = (d + 2) * width(at) * points + kept};
}

std::string refuse(const Point& at) {
  const std::int64_t d = dimensions_of(at);
  if (d == 2 || d == 3) return "";
  return "uot/matrix_free makes K from points of 2 or 3 coordinates: data must be points, self, noisy, moons "
         "or colors, "
         "or npy with X and Y of 2 or 3 columns, not " +
         data_and_dimensions(at);
}

const Variant<MatrixFree<float>, MatrixFree<double>> variant{{
    .name = "uot/matrix_free",
    .summary = "K computed from points in 2 or 3 dimensions, never stored (0 MN elements moved)",
    .axes = {{.name = "keep",
              .kind = Axis::Kind::text,
              .standard = "auto",
              .values = {"auto", "on", "off"},
              .about = "entries of a few rows for the second half step; auto: where the second cache holds "
                       "them"}},
    .work = work,
    .refuse = refuse,
    .matrices = 0,
}};

}  // namespace
}  // namespace uotbench::uot
