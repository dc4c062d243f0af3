// Pricing where the costs are a matrix: rows are read one after the other.
#pragma once

#include "kernels/simplex/timed/pricing.hpp"

namespace uotbench::simplex {

class MatrixPricing final : public Pricing {
 public:
  /// C is M x N.
  MatrixPricing(std::span<const double> C, std::size_t M, std::size_t N) : C_(C), M_(M), N_(N) {}

  void price(std::span<const double> u, std::span<const double> v, double threshold, Priced& out) override {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < M_; ++i) {
      const double* const row = &C_[i * N_];
      const double own = threshold + u[i];
      double best = own;
#pragma omp simd reduction(min : best)
      for (std::size_t j = 0; j < N_; ++j) best = row[j] + v[j] < best ? row[j] + v[j] : best;
      out.target[i] = -1;
      out.delta[i] = 0;
      if (!(best < own)) continue;
      out.delta[i] = best - u[i];
      std::size_t j = 0;
      while (row[j] + v[j] != best) ++j;
      out.target[i] = static_cast<std::int32_t>(j);
    }
    out.evaluated += static_cast<double>(M_) * static_cast<double>(N_);
  }
  double bytes() const override { return 0; }

 private:
  std::span<const double> C_;
  std::size_t M_, N_;
};

}  // namespace uotbench::simplex
