// one_read_sor that begins where a solve on fewer points ended: clouds of a quarter as many points, and of a
// quarter of those, and so on (Merigot 2011; Schmitzer 2019; Feydy 2020, section 3.3). A potential goes from
// a level to the next finer one by its value and its slope: that of log v is fi 2/reg times the way from y to
// where the plan has y's mass from. All of it is timed with the solve.
#include "kernels/uot/parts/coarse_solve.hpp"

namespace uotbench::uot {
namespace {

constexpr std::size_t fewest = 100;  ///< points of the coarsest level

int levels_of(std::size_t points) {
  int levels = 1;
  while (CoarseCloud<float>::size_of(points, levels) >= fewest) ++levels;
  return levels;
}

template <class Real>
class Multiscale : public ShiftedSolve<Real, true> {
  using Base = ShiftedSolve<Real, true>;
  using Base::iteration_, Base::p_;

 public:
  static constexpr Declares declares{.restarts = true, .facts = true};

  explicit Multiscale(const Problem<Real>& problem) : Base(problem) {
    for (int l = 1; l < levels_of(std::min(p_.M, p_.N)); ++l)
      coarse_.push_back(std::make_unique<CoarseSolve<Real>>(p_, CoarseCloud<Real>::size_of(p_.M, l),
                                                            CoarseCloud<Real>::size_of(p_.N, l)));
  }

  void restart() {
    Base::restart();
    const auto levels = static_cast<int>(coarse_.size()) + 1;
    const bool kl = p_.at.text("reg_type") == "kl";
    const CoarseCloud<Real> rows(p_.X, p_.a, kl, levels), columns(p_.Y, p_.b, kl, levels);
    coarse_iterations_ = 0;
    for (int l = levels - 1; l >= 0; --l) {
      const auto start = [&](ShiftedIteration<Real>& iteration) {
        if (l + 1 < levels) extend(rows, columns, l, iteration);
      };
      if (l == 0)
        start(iteration_);
      else
        coarse_iterations_ +=
            coarse_[static_cast<std::size_t>(l - 1)]->solve(rows.level(l), columns.level(l), p_.d, start);
    }
  }

  Facts facts() const { return {{"coarse_iterations", coarse_iterations_}}; }

 private:
  /// v of level l, of what level l + 1 came to.
  void extend(const CoarseCloud<Real>& rows, const CoarseCloud<Real>& columns, int l,
              ShiftedIteration<Real>& to) const {
    const ShiftedIteration<Real>& from = coarse_[static_cast<std::size_t>(l)]->iteration();
    const PointLevel<Real>&x = rows.level(l + 1), &above = columns.level(l + 1), &here = columns.level(l);
    const double reg = p_.at.number("reg");
    in_dimensions(p_.d, [&](auto D) {
      const Cloud<Real> to_cloud(above.points, D, gibbs_scale(p_.at)),
          from_cloud(x.points, D, gibbs_scale(p_.at));
      std::vector<Real> weights(from_cloud.size()), sums(to_cloud.size()), moments[D()];
      for (std::size_t i = 0; i < x.size(); ++i) weights[i] = x.measure[i] * from.scalings.u[i];
      multiply<D()>(to_cloud, from_cloud, weights, sums);
      for (int c = 0; c < D(); ++c) {
        auto moment = weights;
        for (std::size_t i = 0; i < x.size(); ++i)
          moment[i] *= x.points[i * D() + static_cast<std::size_t>(c)];
        moments[c].resize(to_cloud.size());
        multiply<D()>(to_cloud, from_cloud, moment, moments[c]);
      }
      for (std::size_t j = 0; j < here.size(); ++j) {
        const std::size_t k = columns.parent(l, j);
        Real slope = 0;  // times the way
        for (int c = 0; c < D(); ++c) {
          const Real place = above.points[k * D() + static_cast<std::size_t>(c)];
          slope += (place - moments[c][k] / sums[k]) *
                   (here.points[j * D() + static_cast<std::size_t>(c)] - place);
        }
        const Real density = here.masses[j] / here.measure[j] * (above.measure[k] / above.masses[k]);
        const Real start =
            from.scalings.v[k] * std::exp(p_.fi * (std::log(density) + 2 * slope / static_cast<Real>(reg)));
        // A column of the coarse K may be 0 throughout where one of K is not.
        to.scalings.v[j] = start > 0 && std::isfinite(start) ? start : Real(1);
      }
    });
    to.sigma = from.sigma;
  }

  std::vector<std::unique_ptr<CoarseSolve<Real>>> coarse_;  ///< from the finest
  std::int64_t coarse_iterations_ = 0;
};

/// R, as one_read; what coarse levels read is less than a tenth of an iteration.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

std::string refuse(const Point& at) {
  const std::string data = at.text("data");
  if (data != "uniform" && data != "npy") return "";
  return "uot/multiscale makes clouds coarser: data must be points, self, noisy or colors, not " + data;
}

const Variant<Multiscale<float>, Multiscale<double>> variant{{
    .name = "uot/multiscale",
    .summary = "one_read_sor that begins with what solves on fewer points came to",
    .axes = one_read_axes(),
    .work = work,
    .refuse = refuse,
    .matrices = 1.4,
}};

}  // namespace
}  // namespace uotbench::uot
