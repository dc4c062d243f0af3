// Iterations on f = log u and g = log v: right whatever exp(-C/reg) does, and some fifty times as dear as
// those on u and v. Exponents are formed in double: C/reg may be 10000, where a float is off by .001.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "kernels/uot/problem.hpp"
#include "kernels/uot/timed/best_shift.hpp"

namespace uotbench::uot {

template <class Real>
class LogDomain {
 public:
  /// `C` is the kernel's own copy of the costs.
  LogDomain(const Problem<Real>& problem, const Real* C)
      : f(problem.M),
        g(problem.N),
        log_a_(logs(problem.a)),
        log_b_(logs(problem.b)),
        C_(C),
        reg_(problem.at.number("reg")),
        fi_(problem.at.number("fi")),
        kl_(problem.at.text("reg_type") == "kl") {}

  std::vector<double> f, g;  ///< 0 where there is no mass

  /// A row step, a column step and the best shift of both.
  void iterate() {
    const std::size_t M = f.size(), N = g.size();
    std::vector<Sum> sums(N);
#pragma omp parallel
    {
      std::vector<Sum> mine(N);
      std::vector<double> row(N);
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < M; ++i) {
        if (log_a_[i] == none) continue;
        double largest = lowest, sum = 0;
        for (std::size_t j = 0; j < N; ++j) largest = std::max(largest, row[j] = log_K(i, j) + g[j]);
        for (std::size_t j = 0; j < N; ++j) sum += exponential(row[j] - largest);
        f[i] = fi_ * (log_a_[i] - largest - std::log(sum));
        for (std::size_t j = 0; j < N; ++j) mine[j].add(f[i] + row[j] - g[j], 1);
      }
#pragma omp critical
      for (std::size_t j = 0; j < N; ++j) sums[j].add(mine[j].largest, mine[j].sum);
    }
    Sum A, B, mass;  // in logs, too: all of the plan may be far below 1
    for (std::size_t i = 0; i < M; ++i) A.add(row_target(i), 1);
    for (std::size_t j = 0; j < N; ++j) {
      if (log_b_[j] == none) continue;
      g[j] = fi_ * (log_b_[j] - sums[j].log());
      B.add(column_target(j), 1);
      mass.add(g[j] + sums[j].log(), 1);
    }
    const BestShift best(A.log(), B.log(), mass.log(), fi_);
    for (double& x : f) x += best.s;
    for (double& x : g) x += best.t;
    log_mass_ = mass.log() + best.s + best.t;
  }

  double log_mass() const { return log_mass_; }  ///< of the plan after iterate()
  double log_cell(std::size_t i, std::size_t j) const { return f[i] + g[j] + log_K(i, j); }
  /// log of the masses that optimality asks for, a u^(-reg/reg_m): masses of the problem whose kernel is the
  /// plan.
  double row_target(std::size_t i) const { return log_a_[i] - f[i] * (1 - fi_) / fi_; }
  double column_target(std::size_t j) const { return log_b_[j] - g[j] * (1 - fi_) / fi_; }

 private:
  static constexpr double none = -std::numeric_limits<double>::infinity();
  static constexpr double lowest = std::numeric_limits<double>::lowest();

  /// e^largest times sum, of numbers that come one by one.
  struct Sum {
    double largest = lowest, sum = 0;
    double log() const { return largest + std::log(sum); }
    void add(double exponent, double times) {
      if (exponent > largest) {
        sum = sum * exponential(largest - exponent) + times;
        largest = exponent;
      } else {
        sum += times * exponential(exponent - largest);
      }
    }
  };
  static double exponential(double x) { return static_cast<double>(std::exp(static_cast<Real>(x))); }
  static std::vector<double> logs(std::span<const Real> masses) {
    std::vector<double> logs(masses.size());
    std::ranges::transform(masses, logs.begin(),
                           [](Real mass) { return std::log(static_cast<double>(mass)); });
    return logs;
  }

  double log_K(std::size_t i, std::size_t j) const {
    const double exponent = -static_cast<double>(C_[i * g.size() + j]) / reg_;
    if (kl_) return log_a_[i] + log_b_[j] + exponent;
    return log_a_[i] == none || log_b_[j] == none ? none : exponent;
  }

  std::vector<double> log_a_, log_b_;
  const Real* C_;
  double reg_, fi_;
  bool kl_;
  double log_mass_ = 0;
};

}  // namespace uotbench::uot
