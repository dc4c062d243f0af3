#include "kernels/uot/oracle/semi_dual.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/worker/parallel.hpp"
#include "kernels/uot/oracle/blocks.hpp"

namespace uotbench::uot {
namespace {

using Eigen::Index;

constexpr double zero = -1e300;  // log 0, without the trouble of inf - inf
constexpr double flushed =
    1e-250;                   // smaller cells of P are 0: subnormal products take a hundred times longer
constexpr double reach = 40;  // |f - f0| up to which P is not made anew

Index blocks_of(Index rows) { return (rows + rows_per_block - 1) / rows_per_block; }

/// KL(x | y).
double divergence(const Eigen::ArrayXd& x, const Eigen::ArrayXd& y) {
  return (x * (x / y).log() - x + y).sum();
}

}  // namespace

SemiDual::SemiDual(LogKernel K, Array log_a, Array log_b)
    : K_(std::move(K)),
      log_a_(std::move(log_a)),
      log_b_(std::move(log_b)),
      f_(Array::Zero(log_a_.size())),
      g_(Array::Zero(log_b_.size())),
      P_(log_a_.size(), log_b_.size()) {
  double least = 0, most = zero;
  Array row(log_b_.size());
  for (Index i = 0; i < f_.size(); ++i) {
    log_row(i, row);
    most = std::max(most, row.maxCoeff());
    least = std::min(least, (row > zero).select(row, most).minCoeff());
  }
  spread_ = most - least;
}

void SemiDual::set_level(double t, double rho) {
  f_ *= t / t_;
  g_ *= t / t_;
  t_ = t;
  rho_ = t * rho;
  fi_ = rho_ / (1 + rho_);
  iterate_in_logs();
}

void SemiDual::log_row(Index i, Array& row) const {
  K_.row(static_cast<std::size_t>(i), {row.data(), static_cast<std::size_t>(row.size())});
  row = (row * t_).max(zero);
}

/// log sum_j K_ij e^g_j into row_logs, which f is made of where `step`; returns log sum_i K_ij e^f_i.
SemiDual::Array SemiDual::log_sums(const Array& g, Array& f, bool step, Array& row_logs) const {
  const Index M = f.size(), N = g.size(), blocks = blocks_of(M);
  Eigen::ArrayXXd most(N, blocks), sums(N, blocks);
  row_logs.resize(M);
#pragma omp parallel
  {
    Array row(N), apart(N);
#pragma omp for schedule(static)
    for (Index block = 0; block < blocks; ++block) {
      auto top = most.col(block), sum = sums.col(block);
      top.setConstant(2 * zero);
      sum.setZero();
      for (Index i = block * rows_per_block; i < std::min(M, (block + 1) * rows_per_block); ++i) {
        log_row(i, row);
        apart = row + g;
        const double largest = apart.maxCoeff();
        row_logs[i] = largest + std::log((apart - largest).exp().sum());
        if (step) f[i] = fi_ * (log_a_[i] - row_logs[i]);
        row += f[i];
        apart = (-(row - top).abs()).exp();
        sum = (row > top).select(sum * apart + 1, sum + apart);
        top = top.max(row);
      }
    }
  }
  const Array largest = most.rowwise().maxCoeff();
  Array total = Array::Zero(N);
  for (Index block = 0; block < blocks; ++block) total += sums.col(block) * (most.col(block) - largest).exp();
  passes_ += 2;
  return largest + total.log();
}

void SemiDual::build() {
  f0_ = f_;
  g0_ = g_;
#pragma omp parallel
  {
    Array row(g_.size());
#pragma omp for schedule(static)
    for (Index i = 0; i < f_.size(); ++i) {
      log_row(i, row);
      row = (row + g_ + f_[i]).exp();
      P_.row(i) = (row < flushed).select(0, row).matrix();
    }
  }
  ++passes_;
}

/// sum_i step(i, sum_j P_ij v_j) P_ij, in one read of P.
template <class Step>
SemiDual::Array SemiDual::pass(const Array& v, const Step& step) const {
  const Index M = P_.rows(), N = P_.cols(), blocks = blocks_of(M);
  Eigen::ArrayXXd partial(N, blocks);
#pragma omp parallel if (static_cast <std::size_t>(M * N) >= worth_a_team)
  {
#pragma omp for schedule(static)
    for (Index block = 0; block < blocks; ++block) {
      auto sum = partial.col(block);
      sum.setZero();
      for (Index i = block * rows_per_block; i < std::min(M, (block + 1) * rows_per_block); ++i)
        sum += step(i, P_.row(i).dot(v.matrix())) * P_.row(i).transpose().array();
    }
  }
  ++passes_;
  return partial.rowwise().sum();
}

bool SemiDual::near(const Array& f, const Array& g) const {
  return (f - f0_).abs().maxCoeff() < reach && (g - g0_).abs().maxCoeff() < reach;
}

SemiDual::Rows SemiDual::row_step(const Array& g) const {
  const Array v = (g - g0_).exp();
  Rows rows{
      .f = Array(f_.size()), .u = Array(f_.size()), .sums = Array(f_.size()), .columns = {}, .sound = false};
  rows.columns = pass(v, [&](Index i, double sum) {
    rows.sums[i] = sum;
    rows.f[i] = fi_ * (log_a_[i] - std::log(sum) + f0_[i]);
    return rows.u[i] = std::exp(rows.f[i] - f0_[i]);
  });
  rows.sound = rows.f.allFinite() && (rows.columns > 0).all() && near(rows.f, g);
  return rows;
}

/// The best g and the best s for f + s at once: all of u times e^s is all column sums times e^s. At the best
/// s <a, e^(-(f+s)/rho)> and <b, e^(-g/rho)> are both the plan's mass. (Séjourné, Vialard, Peyré 2022 have f
/// + s and g - s.)
double SemiDual::settle(Array f, const Array& column_logs) {
  Array g = fi_ * (log_b_ - column_logs);
  const double A = (log_a_ - f / rho_).exp().sum(), B = (log_b_ - g / rho_).exp().sum();
  const double s = rho_ / (1 + fi_) * std::log(A / B);
  f += s;
  g -= fi_ * s;
  const double change = std::max((f - f_).abs().maxCoeff(), (g - g_).abs().maxCoeff());
  f_ = std::move(f);
  g_ = std::move(g);
  return change;
}

double SemiDual::iterate_in_logs() {
  Array f(f_.size()), row_logs;
  const Array column_logs = log_sums(g_, f, true, row_logs);
  const double change = settle(std::move(f), column_logs);
  build();
  return change;
}

double SemiDual::iterate() {
  const Rows rows = row_step(g_);
  if (!rows.sound) return iterate_in_logs();
  return settle(rows.f, rows.columns.log() - g0_);
}

double SemiDual::value(const Rows& rows, const Array& g) const {
  return -(1 + rho_) * (rows.u * rows.sums).sum() - rho_ * (log_b_ - g / rho_).exp().sum();
}

bool SemiDual::newton(double accuracy) {
  const Rows here = row_step(g_);
  if (!here.sound) return false;
  const Array slope = (log_b_ - g_ / rho_).exp() - (g_ - g0_).exp() * here.columns;
  const Array step = solve(here, slope, std::min(.1, accuracy));
  const double before = value(here, g_);
  // Rounding hides what the last steps gain, which are certain to be good.
  const double enough = before - 1e-12 * std::abs(before);
  for (double length = std::min(1., 1 / step.abs().maxCoeff()); length > 1e-3; length /= 2) {
    const Array g = g_ + length * step;
    const Rows there = row_step(g);
    if (!there.sound || !(value(there, g) >= enough)) continue;
    f_ = there.f;
    g_ = g;
    return true;
  }
  return false;
}

/// Conjugate gradients, preconditioned by the diagonal, for S d = slope, where -S is the second derivative of
/// the function of g: S = diag(c + b e^(-g/rho)/rho) - fi P' diag(1/r) P.
SemiDual::Array SemiDual::solve(const Rows& rows, const Array& slope, double accuracy) const {
  constexpr int most = 2000;
  const Array v = (g_ - g0_).exp();
  const Array diagonal = v * rows.columns + (log_b_ - g_ / rho_).exp() / rho_;
  const auto times = [&](const Array& d) -> Array {
    return diagonal * d -
           v * pass(v * d, [&](Index i, double sum) { return fi_ * rows.u[i] * sum / rows.sums[i]; });
  };
  Array d = Array::Zero(slope.size()), left = slope, ahead = slope / diagonal, p = ahead;
  double size = (left * ahead).sum();
  const double enough = accuracy * accuracy * size;
  for (int k = 0; k < most && size > enough; ++k) {
    const Array Sp = times(p);
    const double length = size / (p * Sp).sum();
    if (!(length > 0)) break;  // rounding is all that is left
    d += length * p;
    left -= length * Sp;
    ahead = left / diagonal;
    const double next = (left * ahead).sum();
    p = ahead + next / size * p;
    size = next;
  }
  return d;
}

double SemiDual::scale() const { return std::max({1., f_.abs().maxCoeff(), g_.abs().maxCoeff()}); }

SemiDual::End SemiDual::end() const {
  Array f = f_, row_logs;
  const Array column_logs = log_sums(g_, f, false, row_logs);
  const double rows = (f_ - fi_ * (log_a_ - row_logs)).abs().maxCoeff();
  const double columns = (g_ - fi_ * (log_b_ - column_logs)).abs().maxCoeff();
  const Array r = (f_ + row_logs).exp(), c = (g_ + column_logs).exp();
  const double gap = divergence(r, (log_a_ - f_ / rho_).exp()) + divergence(c, (log_b_ - g_ / rho_).exp());
  return {.residual = std::max(rows, columns) / scale(), .gap = rho_ * std::max(0., gap), .mass = r.sum()};
}

}  // namespace uotbench::uot
