// Anderson's mixing (1965; Walker, Ni 2011) of a fixed point's iterates x: of the last steps f = G(x) - x it
// takes the combination that is least, and goes where the same combination of G(x) is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace uotbench::uot {

class Anderson {
 public:
  explicit Anderson(std::size_t depth) : depth_(depth) {}

  void restart() {
    steps_.clear();
    images_.clear();
    last_ = 0;
  }

  /// What to add to G(x), for `image` G(x) and `step` G(x) - x: nothing where steps have become longer.
  std::vector<double> more(std::vector<double> image, std::vector<double> step) {
    double longest = 0;
    for (const double each : step) longest = std::max(longest, std::abs(each));
    if (!(longest < grows * last_)) restart();
    last_ = longest;
    steps_.push_back(std::move(step));
    images_.push_back(std::move(image));
    if (steps_.size() > depth_ + 1) {
      steps_.erase(steps_.begin());
      images_.erase(images_.begin());
    }
    std::vector<double> result(steps_.back().size(), 0);
    const std::vector<double> weights = least();
    for (std::size_t k = 0; k < weights.size(); ++k)
      for (std::size_t j = 0; j < result.size(); ++j)
        result[j] -= weights[k] * (images_[k + 1][j] - images_[k][j]);
    const auto far = [](double each) { return !(std::abs(each) < farthest); };
    if (std::ranges::any_of(result, far)) {
      restart();
      std::ranges::fill(result, 0.);
    }
    return result;
  }

 private:
  static constexpr double grows = 2, farthest = 1;

  /// Weights of the differences of steps whose sum is nearest to the last step: by Cholesky, of the normal
  /// equations with a little on their diagonal.
  std::vector<double> least() const {
    const std::size_t n = steps_.size() - 1;
    std::vector<double> A(n * n), w(n);
    const auto difference = [&](std::size_t k, std::size_t j) { return steps_[k + 1][j] - steps_[k][j]; };
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t l = 0; l <= k; ++l)
        for (std::size_t j = 0; j < steps_[k].size(); ++j)
          A[k * n + l] += difference(k, j) * difference(l, j);
      for (std::size_t j = 0; j < steps_[k].size(); ++j) w[k] += difference(k, j) * steps_.back()[j];
      A[k * n + k] *= 1 + 1e-10;
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t l = 0; l < k; ++l) {
        for (std::size_t m = 0; m < l; ++m) A[k * n + l] -= A[k * n + m] * A[l * n + m];
        A[k * n + l] /= A[l * n + l];
        A[k * n + k] -= A[k * n + l] * A[k * n + l];
        w[k] -= A[k * n + l] * w[l];
      }
      if (!(A[k * n + k] > 0)) return {};
      A[k * n + k] = std::sqrt(A[k * n + k]);
      w[k] /= A[k * n + k];
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t l = k + 1; l < n; ++l) w[k] -= A[l * n + k] * w[l];
      w[k] /= A[k * n + k];
    }
    return w;
  }

  std::size_t depth_;
  std::vector<std::vector<double>> steps_, images_;
  double last_ = 0;  ///< the longest of the last step
};

}  // namespace uotbench::uot
