// Pricing as one writes it: a loop over sources, one over targets, and the pretests where they are wanted.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/simplex/timed/pretests.hpp"
#include "kernels/simplex/timed/pricing.hpp"

namespace uotbench::simplex {

/// <x, y>
inline double product(const double* x, const double* y, std::size_t k) {
  double sum = 0;
  for (std::size_t d = 0; d < k; ++d) sum += x[d] * y[d];
  return sum;
}

/// |p|^2 of every point.
inline std::vector<double> squares_of(std::span<const double> points, std::size_t k) {
  std::vector<double> squares(points.size() / k);
  for (std::size_t p = 0; p < squares.size(); ++p) squares[p] = product(&points[p * k], &points[p * k], k);
  return squares;
}

class LoopPricing final : public Pricing {
 public:
  /// Of a team of OpenMP's threads, or of one. With lemma 1 the constructor looks at all pairs, once.
  LoopPricing(const Clouds& clouds, Pretests pretests, bool team)
      : c_(clouds),
        pretests_(pretests),
        team_(team),
        x2_(squares_of(c_.X, c_.k)),
        y2_(squares_of(c_.Y, c_.k)),
        size_(c_.N) {
    if (pretests_.of_pair) {
      for (const double s : x2_) x1_.push_back(std::sqrt(s));
      for (const double s : y2_) y1_.push_back(std::sqrt(s));
    }
    if (pretests_.of_source) {
      nearest_.resize(c_.M);
#pragma omp parallel for schedule(static) if (team_)
      for (std::size_t i = 0; i < c_.M; ++i) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < c_.N; ++j)
          least = std::min(least, y2_[j] - 2 * product(&c_.X[i * c_.k], &c_.Y[j * c_.k], c_.k));
        nearest_[i] = least + x2_[i];
      }
    }
  }

  void price(std::span<const double> u, std::span<const double> v, double threshold, Priced& out) override {
    for (std::size_t j = 0; j < c_.N; ++j) size_[j] = y2_[j] + v[j];
    const double least_v = pretests_.of_source ? *std::ranges::min_element(v) : 0;
    double evaluated = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : evaluated) if (team_)
    for (std::size_t i = 0; i < c_.M; ++i) evaluated += row(i, u[i], v, least_v, threshold, out);
    out.evaluated += evaluated;
    out.skipped += static_cast<double>(c_.M) * static_cast<double>(c_.N) - evaluated;
  }

  double bytes() const override {
    return 8 * static_cast<double>(x2_.size() + y2_.size() + size_.size() + x1_.size() + y1_.size() +
                                   nearest_.size());
  }

 private:
  double row(std::size_t i, double u, std::span<const double> v, double least_v, double threshold,
             Priced& out) const {
    const double own = x2_[i] - u, *x = &c_.X[i * c_.k];
    double incumbent = threshold, evaluated = 0;
    std::int32_t best = -1;
    const bool of_pair = pretests_.of_pair, of_source = pretests_.of_source;
    const double bound = of_source ? nearest_[i] + least_v - u : 0;
    for (std::size_t j = 0; j < c_.N; ++j) {
      if (of_source && bound >= incumbent) break;
      if (of_pair) {
        const double apart = x1_[i] - y1_[j];
        if (apart * apart - u + v[j] >= incumbent) continue;
      }
      ++evaluated;
      const double reduced = own + (size_[j] - 2 * product(x, &c_.Y[j * c_.k], c_.k));
      if (reduced < incumbent) incumbent = reduced, best = static_cast<std::int32_t>(j);
    }
    out.delta[i] = best < 0 ? 0 : incumbent;
    out.target[i] = best;
    return evaluated;
  }

  Clouds c_;
  Pretests pretests_;
  bool team_;
  std::vector<double> x2_, y2_, x1_, y1_;  ///< |x|^2, |y|^2, |x|, |y|
  std::vector<double> nearest_;            ///< min_j c_ij
  std::vector<double> size_;               ///< |y_j|^2 + v_j
};

}  // namespace uotbench::simplex
