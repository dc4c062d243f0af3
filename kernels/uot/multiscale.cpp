// one_read_sor that begins where a solve on fewer points ended (coarse_start.hpp). All of it is timed with
// the solve.
#include "kernels/uot/timed/coarse/coarse_start.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class Multiscale : public ShiftedSolve<Real, Steps::relaxed> {
  using Base = ShiftedSolve<Real, Steps::relaxed>;
  using Base::iteration_;

 public:
  static constexpr KernelTraits declares{.restarts = true, .facts = true};
  static constexpr Takes takes{.canonical = false};

  explicit Multiscale(const Problem<Real>& problem) : Base(problem), coarse_(problem) {}

  void restart() {
    Base::restart();
    coarse_.solve(iteration_.scalings.v, iteration_.sigma);
  }

  Facts facts() const { return {{"coarse_iterations", coarse_.iterations()}}; }

 private:
  CoarseStart<Real> coarse_;
};

/// R, as one_read; what coarse levels read is less than a tenth of an iteration.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

std::string refuse(const Point& at) { return refuse_without_points(at, "uot/multiscale"); }

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
