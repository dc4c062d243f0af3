// The dual problem and how it is climbed. In units of reg, with rho = reg_m/reg, it is to maximise
//   D(f, g) = -rho <a, e^(-f/rho)> - rho <b, e^(-g/rho)> - sum_ij e^(f_i + g_j) K_ij
// (Chizat et al. 2018). The best f for a g is Sinkhorn's row step; put in, it leaves a function of g alone.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "kernels/uot/oracle/solution.hpp"

namespace uotbench::uot {

class SemiDual {
 public:
  using Array = Eigen::ArrayXd;

  /// `log_a`, `log_b` are finite. K may hold 0.
  SemiDual(LogKernel K, Array log_a, Array log_b);

  /// The most that finite entries of log K differ by.
  double spread() const { return spread_; }
  /// The problem with reg/t from here on: t log K, t rho. Starts at u = v = 1, or at what the level before
  /// came to.
  void set_level(double t, double rho);

  /// A row step, then the best v and the best factor of all u at once. Returns the most that it changed f or
  /// g.
  double iterate();
  /// A Newton step of g, its equations solved to the relative `accuracy`. False where that does not go up:
  /// then nothing has changed.
  bool newton(double accuracy);

  const Array& f() const { return f_; }
  const Array& g() const { return g_; }
  /// Of f and g: the largest magnitude, at least 1.
  double scale() const;

  struct End {
    double residual, gap, mass;  ///< as in Solution; the gap absolute
  };
  /// In the log domain throughout.
  End end() const;
  int passes() const { return passes_; }

 private:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// What a row step knows: u relative to P_, its sums, and the plan's column sums.
  struct Rows {
    Array f, u, sums, columns;
    bool sound;  ///< in range
  };
  Rows row_step(const Array& g) const;
  double settle(Array f, const Array& column_logs);
  double iterate_in_logs();
  Array log_sums(const Array& g, Array& f, bool step, Array& row_logs) const;
  void log_row(Eigen::Index i, Array& row) const;
  void build();
  template <class Step>
  Array pass(const Array& v, const Step& step) const;
  Array solve(const Rows& rows, const Array& slope, double accuracy) const;
  double value(const Rows& rows, const Array& g) const;
  bool near(const Array& f, const Array& g) const;

  LogKernel K_;
  Array log_a_, log_b_;
  double spread_ = 0, t_ = 1, rho_ = 1, fi_ = .5;
  Array f_, g_;    // the potentials
  Array f0_, g0_;  // those in P_
  Matrix P_;       // e^(f0_i + g0_j) K_ij
  mutable int passes_ = 0;
};

}  // namespace uotbench::uot
