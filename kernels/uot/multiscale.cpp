// one_read_sor that begins where a solve on fewer points ended: clouds of a quarter as many points, and of a
// quarter of those, and so on (Merigot 2011; Schmitzer 2019; Feydy 2020, section 3.3). A potential goes from
// a level to the next finer one by its value and its slope: that of log v is fi 2/reg times the way from y to
// where the plan has y's mass from. All of it is timed with the solve.
#include <optional>

#include "kernels/uot/parts/coarse_cloud.hpp"
#include "kernels/uot/parts/point_clouds.hpp"
#include "kernels/uot/parts/shifted_iteration.hpp"

namespace uotbench::uot {
namespace {

constexpr std::size_t fewest = 100;     ///< points of the coarsest level
constexpr double coarse_change = 1e-3;  ///< where a coarse solve is over: its own error is no smaller

int levels_of(std::size_t points) {
  int levels = 1;
  while (CoarseCloud<float>::size_of(points, levels) >= fewest) ++levels;
  return levels;
}

/// A problem on one level of two clouds, but the finest.
template <class Real>
class CoarseSolve {
 public:
  CoarseSolve(const Problem<Real>& fine, std::size_t M, std::size_t N)
      : a_(M), b_(N), p_(stopped(fine)), K_(M * N), iteration_(p_) {}

  /// From scalings of the level above, which `start` writes; returns how many iterations it took.
  template <class Start>
  int solve(const PointLevel<Real>& rows, const PointLevel<Real>& columns, std::size_t d, Start start) {
    std::ranges::copy(rows.masses, a_.begin());
    std::ranges::copy(columns.masses, b_.begin());
    in_dimensions(d, [&](auto D) { make_K<D()>(rows, columns); });
    iteration_.restart();
    start(iteration_);
    int iterations = 0;
    do iteration_.iterate(K_.data(), a_.data(), b_.data(), true);
    while (++iterations < most && !(iteration_.change().error() < coarse_change));
    return iterations;
  }

  const ShiftedIteration<Real>& iteration() const { return iteration_; }

 private:
  static constexpr int most = 1000;

  Problem<Real> stopped(const Problem<Real>& fine) const {
    Problem<Real> problem(fine.at, fine.team, {}, a_, b_);
    problem.stopping = fine.stopping;
    return problem;
  }

  template <int D>
  void make_K(const PointLevel<Real>& rows, const PointLevel<Real>& columns) {
    const double scale = gibbs_scale(p_.at);
    const Cloud<Real> x(rows.points, D, scale), y(columns.points, D, scale);
    const std::size_t N = columns.size();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto here = x.template one<D>(i);
      for (std::size_t j = 0; j < N; j += Pack<Real>::size()) {
        const Pack<Real> cells = gibbs(here, y.template several<D>(j)) * rows.measure[i];
        for (std::size_t k = 0; k < std::min(N - j, Pack<Real>::size()); ++k)
          K_[i * N + j + k] = cells[k] * columns.measure[j + k];
      }
    }
  }

  std::vector<Real> a_, b_;
  Problem<Real> p_;
  Buffer<Real> K_;
  ShiftedIteration<Real> iteration_;
};

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
        to.scalings.v[j] =
            from.scalings.v[k] * std::exp(p_.fi * (std::log(density) + 2 * slope / static_cast<Real>(reg)));
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
