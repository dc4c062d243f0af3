// K is never stored: each entry is computed from its two points where it is needed, in memory for M + N
// numbers. While a few rows' entries fit in the second cache they are kept there from the row sums to the
// column sums (one_read's order: each is computed once), for others both half steps compute them: more
// arithmetic, no traffic, any size. Keeping takes 0.8 of the time while 4 rows are 512 KiB, 1.6 times it at 2
// MiB.
#include <omp.h>

#include "kernels/uot/parts/column_sums.hpp"
#include "kernels/uot/parts/dimensions.hpp"
#include "kernels/uot/parts/point_clouds.hpp"
#include "kernels/uot/parts/scalings.hpp"

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
  static constexpr Declares declares{.restarts = true, .facts = true};

  explicit MatrixFree(const Problem<Real>& problem)
      : p_(problem),
        x_(p_.X, p_.d, gibbs_scale(p_.at)),
        y_(p_.Y, p_.d, gibbs_scale(p_.at)),
        keeps_(keeps(p_.at)),
        kl_(p_.at.text("reg_type") == "kl"),
        scalings_(problem),
        row_weights_(x_.size()),
        column_weights_(y_.size()),
        row_sums_(x_.size()),
        column_sums_(keeps_ ? 0 : y_.size()),
        kept_sums_(keeps_ ? std::optional<ColumnSums<Real>>(problem) : std::nullopt),
        kept_(keeps_ ? kept_stride() * static_cast<std::size_t>(p_.team.threads()) : 0) {}

  void restart() { scalings_.restart(); }

  void iterate() {
    scalings_.remember();
    weigh_columns();
    in_dimensions(p_.d, [&](auto D) { keeps_ ? iterate_kept<D()>() : iterate_twice<D()>(); });
  }

  Change<Real> change() const { return scalings_.change(); }

  void finish(Result<Real>& out) {
    if (!out.plan.empty()) in_dimensions(p_.d, [&](auto D) { write_plan<D()>(out.plan.data()); });
    out.write_scalings(scalings_.u, scalings_.v);
  }

  Facts facts() const { return {{"entries", keeps_ ? "kept" : "computed twice"}}; }

 private:
  void weigh_columns() {
    for (std::size_t j = 0; j < p_.N; ++j) column_weights_[j] = weight(scalings_.v[j], p_.b[j]);
  }
  /// What stands beside the exponentials; with reg_type=kl their factors a_i and b_j, too.
  Real weight(Real scaling, Real mass) const { return kl_ ? mass * scaling : scaling; }
  void next_row(std::size_t i, Real sum) {
    if (i >= p_.M) return;
    scalings_.u[i] = next_scaling(scalings_.u[i], p_.a[i], weight(sum, p_.a[i]), p_);
    row_weights_[i] = weight(scalings_.u[i], p_.a[i]);
  }
  void next_column(std::size_t j, Real sum) {
    scalings_.v[j] = next_scaling(scalings_.v[j], p_.b[j], weight(sum, p_.b[j]), p_);
  }

  template <int D>
  void iterate_twice() {
    multiply<D>(x_, y_, column_weights_, row_sums_);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i) next_row(i, row_sums_[i]);
    multiply<D>(y_, x_, row_weights_, column_sums_);
#pragma omp parallel for schedule(static)
    for (std::size_t j = 0; j < p_.N; ++j) next_column(j, column_sums_[j]);
  }

  template <int D>
  void iterate_kept() {
#pragma omp parallel
    {
      Real* const sums = kept_sums_->mine();
      Real* const kept = kept_.data() + kept_stride() * static_cast<std::size_t>(omp_get_thread_num());
      const auto [first, last] = share(x_.groups(), omp_get_thread_num(), omp_get_num_threads());
      for (std::size_t i = first * R; i < last * R; i += R) {
        keep_rows<D>(i, kept);
        add_kept(i, kept, sums);
      }
    }
    kept_sums_->reduce([&](std::size_t j, Real sum) { next_column(j, sum); });
  }

  /// The row step of rows i .. i+R-1. Their entries stand side by side in `kept`, vector by vector.
  template <int D>
  void keep_rows(std::size_t i, Real* kept) {
    typename Cloud<Real>::template Place<D> x[R];
    for (std::size_t r = 0; r < R; ++r) x[r] = x_.template one<D>(i + r);
    Pack<Real> sum[R] = {};
    for (std::size_t j = 0; j < y_.size(); j += Pack<Real>::size()) {
      const auto y = y_.template several<D>(j);
      const Pack<Real> weight(column_weights_.data() + j, anywhere);
      for (std::size_t r = 0; r < R; ++r) {
        Real* const place = kept + j * R + r * Pack<Real>::size();
        __builtin_prefetch(place + ahead, 1);
        const auto entries = gibbs(x[r], y);
        entries.copy_to(place, anywhere);
        sum[r] += entries * weight;
      }
    }
    for (std::size_t r = 0; r < R; ++r) next_row(i + r, reduce(sum[r]));
  }

  void add_kept(std::size_t i, const Real* kept, Real* sums) const {
    for (std::size_t j = 0; j < y_.size(); j += Pack<Real>::size()) {
      Pack<Real> sum(sums + j, anywhere);
      for (std::size_t r = 0; r < R; ++r) {
        const Real* const place = kept + j * R + r * Pack<Real>::size();
        __builtin_prefetch(place + ahead);
        sum += Pack<Real>(place, anywhere) * row_weights_[i + r];
      }
      sum.copy_to(sums + j, anywhere);
    }
  }

  template <int D>
  void write_plan(Real* plan) {
    weigh_columns();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i) {
      const auto x = x_.template one<D>(i);
      for (std::size_t j = 0; j < p_.N; j += Pack<Real>::size()) {
        const Pack<Real> cells = gibbs(x, y_.template several<D>(j)) * row_weights_[i] *
                                 Pack<Real>(column_weights_.data() + j, anywhere);
        for (std::size_t lane = 0; lane < std::min(Pack<Real>::size(), p_.N - j); ++lane)
          plan[i * p_.N + j + lane] = cells[lane];
      }
    }
  }

  /// Entries from one to be used to one to be fetched: the prefetching of the second cache makes keeping
  /// 1.2 to 1.5 times as fast.
  static constexpr std::size_t ahead = 4 * R * Pack<Real>::size();
  std::size_t kept_stride() const { return R * y_.size() + ahead; }

  const Problem<Real>& p_;
  Cloud<Real> x_, y_;
  bool keeps_, kl_;
  Scalings<Real> scalings_;
  std::vector<Real> row_weights_, column_weights_, row_sums_, column_sums_;
  std::optional<ColumnSums<Real>> kept_sums_;
  Buffer<Real> kept_;
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
