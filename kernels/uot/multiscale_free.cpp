// multiscale_newton whose K is computed from points in each iteration and never stored (points_pass.hpp): a
// few iterations take little longer than making K once and reading it, and no memory of M N numbers.
#include "kernels/uot/timed/coarse/coarse_newton.hpp"
#include "kernels/uot/timed/points_pass.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class MultiscaleFree {
 public:
  static constexpr KernelTraits declares{.restarts = true, .facts = true};
  static constexpr Takes takes{.from_points = true, .canonical = false};

  explicit MultiscaleFree(const Problem<Real>& problem)
      : p_(problem), K_(problem), coarse_(problem), newton_(problem, coarse_), iteration_(problem) {}

  void restart() {
    iteration_.restart();
    coarse_.solve(iteration_.scalings.v, iteration_.sigma);
    newton_.linearise(K_.rows, K_.columns, coarse_.columns().places(), p_.b);
  }

  void iterate() { newton_.iterate(iteration_, K_, p_.a.data(), p_.b.data()); }

  Change<double> change() const { return iteration_.change(); }

  void finish(Result<Real>& out) {
    const auto &u = iteration_.scalings.u, &v = iteration_.scalings.v;
    if (!out.plan.empty()) K_.write_plan(u, v, out.plan);
    out.write_scalings(u, v);
    shift_scalings(out, iteration_.sigma);
  }

  Facts facts() const {
    return {{"coarse_iterations", coarse_.iterations()}, {"newton_steps", newton_.steps()}};
  }

 private:
  const Problem<Real>& p_;
  KOfPoints<Real> K_;
  CoarseStart<Real> coarse_;
  CoarseNewton<Real> newton_;
  ShiftedIteration<Real, PointsPass<Real>> iteration_;
};

/// An iteration on all points: each entry once, two products and two additions. Points, masses and scalings
/// come from memory.
Work work(const Point& at) {
  const auto d = static_cast<std::size_t>(dimensions_of(at));
  const double entry = at.text("dtype") == "f64" ? gibbs_flops<double>(d) : gibbs_flops<float>(d);
  const double points = at.number("M") + at.number("N");
  return {.flops = (entry + 4) * cells(at),
          .bytes_read = (static_cast<double>(d) + 2) * width(at) * points,
          .bytes_written = width(at) * points};
}

std::string refuse(const Point& at) { return refuse_without_points(at, "uot/multiscale_free"); }

const Variant<MultiscaleFree<float>, MultiscaleFree<double>> variant{{
    .name = "uot/multiscale_free",
    .summary = "multiscale_newton with K computed from points, never stored (0 MN elements moved)",
    .axes = one_read_axes(),  // of the coarse levels
    .work = work,
    .refuse = refuse,
    .matrices = .1,
}};

}  // namespace
}  // namespace uotbench::uot
