// Squares by halving: y is between 0 and 1/4, and its root is |x|. Numbers that are found are left alone.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/demo/problem.hpp"

namespace uotbench::demo {
namespace {

class Halving {
 public:
  static constexpr KernelTraits declares{.unit = Unit::solve, .iterations = true, .work = true};

  explicit Halving(const Problem<double>& p) : x_(p.x.begin(), p.x.end()), low_(p.N), high_(p.N) {}

  void part() {
    {
      const Region bounds("bounds");
      std::ranges::fill(low_, 0.);
      std::ranges::fill(high_, .25);
    }
    const Region halving("halving");
    rounds_ = 0;
    for (bool left = true; left; ++rounds_) {
      left = false;
      for (std::size_t i = 0; i < x_.size(); ++i) {
        if (high_[i] - low_[i] < 1e-15) continue;
        const double middle = (low_[i] + high_[i]) / 2;
        (std::sqrt(middle) < std::abs(x_[i]) ? low_ : high_)[i] = middle;
        left = true;
        done_.flops += 4;
      }
      done_.bytes_read += 24 * static_cast<double>(x_.size());
    }
  }

  std::optional<std::int64_t> iterations() const { return rounds_; }
  Work work() const { return done_; }
  void finish(Result<double>& out) { std::ranges::copy(high_, out.y.begin()); }

 private:
  std::vector<double> x_, low_, high_;
  std::int64_t rounds_ = 0;
  Work done_;
};

const Variant<void, Halving> variant{{
    .name = "demo/halving",
    .summary = "halves intervals until they are short",
    .serial = true,
    .phases = {"bounds", "halving"},
    .tolerance = 1e-13,
}};

}  // namespace
}  // namespace uotbench::demo
