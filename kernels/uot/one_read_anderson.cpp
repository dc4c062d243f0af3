// one_read_ti with Anderson's mixing (anderson.hpp) of log v: as few iterations as many steps of the past can
// make it, for M + N numbers of each.
#include "kernels/uot/parts/anderson.hpp"
#include "kernels/uot/parts/shifted_iteration.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class OneReadAnderson : public ShiftedSolve<Real, Steps::plain> {
  using Base = ShiftedSolve<Real, Steps::plain>;
  using Base::iteration_;

 public:
  static constexpr Takes takes{.canonical = false};

  explicit OneReadAnderson(const Problem<Real>& problem)
      : Base(problem), mixing_(problem.at.size("depth")), x_(problem.N) {}

  void restart() {
    Base::restart();
    mixing_.restart();
    std::ranges::fill(x_, 0.);
  }

  void iterate() {
    Base::iterate();
    std::vector<Real>& v = iteration_.scalings.v;
    std::vector<double> image(v.size()), step(v.size());
    for (std::size_t j = 0; j < v.size(); ++j) {
      if (!(v[j] > 0)) continue;  // without mass
      image[j] = static_cast<double>(std::log(v[j])) - iteration_.sigma;
      step[j] = image[j] - x_[j];
    }
    x_ = image;
    const std::vector<double> more = mixing_.more(std::move(image), std::move(step));
    for (std::size_t j = 0; j < v.size(); ++j) {
      x_[j] += more[j];
      v[j] *= std::exp(static_cast<Real>(more[j]));
    }
  }

 private:
  Anderson mixing_;
  std::vector<double> x_;  ///< log v, as the next iteration finds it
};

/// R, as one_read.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

std::vector<Axis> axes() {
  auto all = one_read_axes();
  all.push_back(
      {.name = "depth", .standard = 5, .least = 1, .most = 20, .about = "steps of the past that it mixes"});
  return all;
}

const Variant<OneReadAnderson<float>, OneReadAnderson<double>> variant{{
    .name = "uot/one_read_anderson",
    .summary = "one_read_ti with Anderson's mixing of log v (fewer iterations)",
    .axes = axes(),
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
