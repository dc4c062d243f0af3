#include "kernels/sinkhorn_log/oracle/barycenters.hpp"

#include <algorithm>
#include <cmath>

#include "harness/worker/parallel.hpp"

namespace uotbench::sinkhorn_log {
namespace {

constexpr double lowest = std::numeric_limits<double>::lowest() / 4;
using Square = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Maxima, then sums, of many fields side by side: each_term(take) calls take(terms) for all terms in turn,
/// twice.
template <class Row, class EachTerm>
Row log_sum(Eigen::Index count, EachTerm each_term) {
  Row most = Row::Constant(count, lowest), sum = Row::Zero(count);
  each_term([&](const auto& terms) { most = most.max(terms); });
  each_term([&](const auto& terms) { sum += (terms - most).exp(); });
  return (most > lowest).select(most + sum.log(), none);
}

/// out[s, c] = LSE_r(field[r, c] - C1[r, s] / reg).
template <class Real>
Square along_columns(const Square& field, std::span<const Real> C1, double reg) {
  using Row = Eigen::Array<double, 1, Eigen::Dynamic>;
  const Eigen::Index n = field.rows();
  Square out(n, n);
  for (Eigen::Index s = 0; s < n; ++s)
    out.row(s) = log_sum<Row>(n, [&](auto take) {
      for (Eigen::Index r = 0; r < n; ++r)
        take(field.row(r) - static_cast<double>(C1[static_cast<std::size_t>(r * n + s)]) / reg);
    });
  return out;
}

template <class Real>
Batch batch_of(Arrays& inputs, const char* name, std::size_t columns) {
  const auto values = inputs[name].template as<Real>();
  Batch batch(static_cast<Eigen::Index>(values.size() / columns), static_cast<Eigen::Index>(columns));
  std::ranges::transform(values, batch.data(), [](Real x) { return static_cast<double>(x); });
  return batch;
}

double distance(const Batch& a, const Batch& b) {
  return ((a - b).abs().rowwise().sum() / b.rowwise().sum()).maxCoeff();
}

}  // namespace

template <class Real>
Mixture mixture_in(const Point& problem, Arrays& inputs) {
  const std::size_t M = problem.size("M");
  return {batch_of<Real>(inputs, "mu", M), batch_of<Real>(inputs, "log_mu", M),
          batch_of<Real>(inputs, "weights", problem.size("histograms"))};
}

template <class Real>
LogKernel<Real>::LogKernel(const Point& problem, Arrays& inputs)
    : M(problem.size("M")),
      N(problem.size("N")),
      reg(static_cast<double>(static_cast<Real>(problem.number("reg")))),
      costs_(problem, inputs),
      C1_(problem.text("cost") == "grid2d" ? inputs["C1"].template as<Real>() : std::span<const Real>()) {}

template <class Real>
std::vector<double> LogKernel<Real>::sums(const double* from, bool over_rows) const {
  std::vector<double> to(over_rows ? N : M);
  const auto count = static_cast<Eigen::Index>(to.size());
  if (!C1_.empty()) {  // C1 is its own transpose
    const auto n = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(M))));
    const Square half = along_columns(Square(Eigen::Map<const Square>(from, n, n)), C1_, reg).transpose();
    Eigen::Map<Square>(to.data(), n, n) = along_columns(half, C1_, reg).transpose();
    return to;
  }
  using Line = Eigen::ArrayXd;
  Line costs(static_cast<Eigen::Index>(N));
  if (over_rows) {
    Eigen::Map<Line>(to.data(), count) = log_sum<Line>(count, [&](auto take) {
      for (std::size_t i = 0; i < M; ++i) {
        if (from[i] == none) continue;
        costs_.row(0, i, 0, {costs.data(), N});
        take(from[i] - costs / reg);
      }
    });
    return to;
  }
  const Eigen::Map<const Line> v(from, static_cast<Eigen::Index>(N));
  for (std::size_t i = 0; i < M; ++i) {
    costs_.row(0, i, 0, {costs.data(), N});
    costs = v - costs / reg;
    const double most = costs.maxCoeff();
    to[i] = most == none ? none : most + std::log((costs - most).exp().sum());
  }
  return to;
}

template <class Real>
Spread LogKernel<Real>::spread(std::span<const double> log_u, std::span<const double> log_v) const {
  if (C1_.empty()) return spread_of(costs_, 0, reg, log_u, log_v);
  const double unit = 1 + costs_.largest() / reg;
  return {std::vector<double>(M, unit), std::vector<double>(N, unit)};
}

template <class Real>
std::vector<Spread> spreads_of(const LogKernel<Real>& kernel, const Barycenters& at) {
  std::vector<Spread> spreads(static_cast<std::size_t>(at.log_u.rows()));
#pragma omp parallel for schedule(static) if (spreads.size() * kernel.M * kernel.N >= worth_a_team)
  for (std::size_t row = 0; row < spreads.size(); ++row)
    spreads[row] = kernel.spread({at.log_u.data() + row * kernel.M, kernel.M},
                                 {at.log_v.data() + row * kernel.N, kernel.N});
  return spreads;
}

Barycenters start_of(const Mixture& mixture, std::size_t N) {
  const Eigen::Index B = mixture.weights.rows(), S = mixture.weights.cols();
  const auto columns = static_cast<Eigen::Index>(N);
  const Batch zero = Batch::Zero(S, mixture.mu.cols());
  const Batch log_u = (mixture.log_mu == none).select(none, zero);
  return {log_u.replicate(B, 1), Batch::Zero(B * S, columns), Batch::Zero(B, columns)};
}

template <class Real>
double iterate(const LogKernel<Real>& kernel, const Mixture& mixture, Barycenters& state) {
  const Eigen::Index B = mixture.weights.rows(), S = mixture.weights.cols();
  std::vector<double> off(static_cast<std::size_t>(B * S));
#pragma omp parallel for schedule(static) if (static_cast <std::size_t>(B * S) * kernel.M * kernel.N >= \
                                              worth_a_team)
  for (Eigen::Index row = 0; row < B * S; ++row) {
    const auto log_mu = mixture.log_mu.row(row % S), mu = mixture.mu.row(row % S);
    const auto lse = kernel.over_columns(state.log_v.row(row).data());
    double error = 0;
    for (Eigen::Index i = 0; i < mu.size(); ++i) {
      if (mu(i) == 0) continue;
      const double next = log_mu(i) - lse[static_cast<std::size_t>(i)];
      error += mu(i) * std::abs(std::expm1(state.log_u(row, i) - next));
      state.log_u(row, i) = next;
    }
    off[static_cast<std::size_t>(row)] = error / mu.sum();
    const auto sums = kernel.over_rows(state.log_u.row(row).data());
    std::ranges::copy(sums, state.log_v.row(row).data());  // without the barycenter, so far
  }
  state.log_b.setZero();
  for (Eigen::Index b = 0; b < B; ++b) {
    for (Eigen::Index s = 0; s < S; ++s)
      state.log_b.row(b) += mixture.weights(b, s) * state.log_v.row(b * S + s);
    for (Eigen::Index s = 0; s < S; ++s)
      state.log_v.row(b * S + s) = state.log_b.row(b) - state.log_v.row(b * S + s);
  }
  return *std::ranges::max_element(off);
}

template <class Real>
FixedPoint fixed_point(const LogKernel<Real>& kernel, const Mixture& mixture, double tol, std::int64_t most) {
  constexpr double share = .01, rounding = 1e-13;
  Barycenters state = start_of(mixture, kernel.N);
  std::int64_t made = 1;
  while (!(iterate(kernel, mixture, state) < tol) && made < most) ++made;
  const Batch at_tol = state.masses();
  // What is left falls by a constant factor an iteration, in the end.
  const std::int64_t last = 10 * made + 1000;
  while (!(iterate(kernel, mixture, state) < std::max(share * tol, rounding)) && made < last) ++made;
  FixedPoint found{state.masses()};
  found.distance_at_tol = distance(at_tol, found.barycenters);
  found.spreads = spreads_of(kernel, state);
  return found;
}

template <class Real>
OffBarycenter off_barycenter(const LogKernel<Real>& kernel, const Mixture& mixture, const Barycenters& at,
                             std::span<const double> barycenter, std::size_t b) {
  const auto item = static_cast<Eigen::Index>(b), S = mixture.weights.cols();
  const auto N = static_cast<Eigen::Index>(kernel.N);
  const auto plan_sums = [](const auto& potentials, const std::vector<double>& lse) {
    Eigen::ArrayXd sums(static_cast<Eigen::Index>(lse.size()));
    for (Eigen::Index k = 0; k < sums.size(); ++k)
      sums[k] = std::exp(potentials(k) + lse[static_cast<std::size_t>(k)]);
    return sums;
  };
  const Eigen::Map<const Eigen::ArrayXd> masses(barycenter.data(), N);
  Eigen::ArrayXd balance = Eigen::ArrayXd::Zero(N);
  OffBarycenter found;
  for (Eigen::Index s = 0; s < S; ++s) {
    const auto u = at.log_u.row(item * S + s), v = at.log_v.row(item * S + s);
    const Eigen::ArrayXd mu = mixture.mu.row(s);
    const double rows = (plan_sums(u, kernel.over_columns(v.data())) - mu).abs().sum() / mu.sum();
    const double columns = (plan_sums(v, kernel.over_rows(u.data())) - masses).abs().sum() / mu.sum();
    found.rows = std::isnan(rows) ? INFINITY : std::max(found.rows, rows);
    found.columns = std::isnan(columns) ? INFINITY : std::max(found.columns, columns);
    balance += mixture.weights(item, s) * v.transpose();
  }
  found.potentials = balance.abs().mean();
  return found;
}

double dual_value(const Mixture& mixture, double reg, const Barycenters& at, std::size_t b) {
  const auto item = static_cast<Eigen::Index>(b), S = mixture.weights.cols();
  // The plans' columns sum to the barycenter, and <sum_s w_s g_s, barycenter> is 0.
  double value = -at.log_b.row(item).exp().sum();
  for (Eigen::Index s = 0; s < S; ++s)
    for (Eigen::Index i = 0; i < mixture.mu.cols(); ++i)
      if (mixture.mu(s, i) > 0)
        value += mixture.weights(item, s) * mixture.mu(s, i) * at.log_u(item * S + s, i);
  return reg * value;
}

template Mixture mixture_in<float>(const Point&, Arrays&);
template Mixture mixture_in<double>(const Point&, Arrays&);
template class LogKernel<float>;
template class LogKernel<double>;
template std::vector<Spread> spreads_of(const LogKernel<float>&, const Barycenters&);
template std::vector<Spread> spreads_of(const LogKernel<double>&, const Barycenters&);
template double iterate(const LogKernel<float>&, const Mixture&, Barycenters&);
template double iterate(const LogKernel<double>&, const Mixture&, Barycenters&);
template FixedPoint fixed_point(const LogKernel<float>&, const Mixture&, double, std::int64_t);
template FixedPoint fixed_point(const LogKernel<double>&, const Mixture&, double, std::int64_t);
template OffBarycenter off_barycenter(const LogKernel<float>&, const Mixture&, const Barycenters&,
                                      std::span<const double>, std::size_t);
template OffBarycenter off_barycenter(const LogKernel<double>&, const Mixture&, const Barycenters&,
                                      std::span<const double>, std::size_t);

}  // namespace uotbench::sinkhorn_log
