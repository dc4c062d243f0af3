// multiscale with Newton's steps in place of over-relaxed ones: their Hessian is that of the solve on fewer
// points (coarse_newton.hpp). Where steps shrink no faster than over-relaxed ones would, it goes on with
// those.
#include "kernels/uot/timed/coarse/coarse_newton.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MultiscaleNewton : public ShiftedSolve<Real, Steps::relaxed> {
  using Base = ShiftedSolve<Real, Steps::relaxed>;
  using Base::iteration_, Base::K_, Base::p_;

 public:
  static constexpr KernelTraits declares{.restarts = true, .facts = true};
  static constexpr Takes takes{.canonical = false};

  explicit MultiscaleNewton(const Problem<Real>& problem)
      : Base(problem),
        coarse_(problem),
        newton_(problem, coarse_),
        rows_(problem.X, problem.d, gibbs_scale(problem.at)),
        columns_(problem.Y, problem.d, gibbs_scale(problem.at)) {}

  void restart() {
    Base::restart();
    coarse_.solve(iteration_.scalings.v, iteration_.sigma);
    newton_.linearise(rows_, columns_, coarse_.columns().places(), p_.b);
  }

  void iterate() { newton_.iterate(iteration_, K_.data(), p_.a.data(), p_.b.data()); }

  Facts facts() const {
    return {{"coarse_iterations", coarse_.iterations()}, {"newton_steps", newton_.steps()}};
  }

 private:
  CoarseStart<Real> coarse_;
  CoarseNewton<Real> newton_;
  Cloud<Real> rows_, columns_;
};

/// R, as one_read; what coarse levels read is less than an iteration.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

std::string refuse(const Point& at) { return refuse_without_points(at, "uot/multiscale_newton"); }

const Variant<MultiscaleNewton<float>, MultiscaleNewton<double>> variant{{
    .name = "uot/multiscale_newton",
    .summary = "multiscale with Newton's steps by the coarse solve's Hessian",
    .axes = one_read_axes(),
    .work = work,
    .refuse = refuse,
    .matrices = 1.4,
}};

}  // namespace
}  // namespace uotbench::uot
