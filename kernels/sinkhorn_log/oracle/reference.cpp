#include "kernels/sinkhorn_log/oracle/reference.hpp"

#include <cmath>
#include <vector>

#include "harness/worker/parallel.hpp"

namespace uotbench::sinkhorn_log {
namespace {

using Line = Eigen::ArrayXd;

constexpr std::size_t block = 256;  ///< lines that are worked on together: their costs stay in a cache

std::size_t blocks_in(std::size_t count) { return (count + block - 1) / block; }

double next(double before, double log_mass, double lse, bool symmetric) {
  if (log_mass == none) return none;
  return symmetric ? (before + log_mass - lse) / 2 : log_mass - lse;
}

/// log v of item b for columns [first, last), from log u: the terms are made twice, for the maximum and for
/// the sum.
template <class Real>
void columns(const Costs<Real>& costs, double reg, std::size_t b, std::size_t first, std::size_t last,
             const double* log_u, const double* log_nu, bool symmetric, double* log_v) {
  const auto count = static_cast<Eigen::Index>(last - first);
  Line row(count), most = Line::Constant(count, none), sum = Line::Zero(count);
  const auto each_term = [&](auto take) {
    for (std::size_t i = 0; i < costs.M; ++i) {
      if (log_u[i] == none) continue;
      costs.row(b, i, first, {row.data(), last - first});
      take(log_u[i] - row / reg);
    }
  };
  each_term([&](const auto& terms) { most = most.max(terms); });
  each_term([&](const auto& terms) { sum += (terms - most).exp(); });
  for (std::size_t j = first; j < last; ++j) {
    const auto at = static_cast<Eigen::Index>(j - first);
    log_v[j] = next(log_v[j], log_nu[j], most[at] + std::log(sum[at]), symmetric);
  }
}

template <class Real>
void rows(const Costs<Real>& costs, double reg, std::size_t b, std::size_t first, std::size_t last,
          const double* log_v, const double* log_mu, bool symmetric, double* log_u) {
  const auto N = static_cast<Eigen::Index>(costs.N);
  const Eigen::Map<const Line> v(log_v, N);
  Line terms(N);
  for (std::size_t i = first; i < last; ++i) {
    if (log_mu[i] != none) {
      costs.row(b, i, 0, {terms.data(), costs.N});
      terms = v - terms / reg;
      const double most = terms.maxCoeff();
      log_u[i] = next(log_u[i], log_mu[i], most + std::log((terms - most).exp().sum()), symmetric);
    }
  }
}

/// The largest over items of what is left of the columns' error, from log v before and after a half step.
double columns_error(const Masses& masses, const Batch& before, const Batch& after) {
  double most = 0;
  for (Eigen::Index b = 0; b < after.rows(); ++b) {
    double sum = 0;
    for (Eigen::Index j = 0; j < after.cols(); ++j)
      if (masses.nu(b, j) > 0) sum += masses.nu(b, j) * std::abs(std::expm1(before(b, j) - after(b, j)));
    most = std::max(most, sum);
  }
  return most;
}

template <class Real>
Batch batch_of(Arrays& inputs, const char* name, const Point& problem, const char* bins) {
  const auto values = inputs[name].as<Real>();
  Batch batch(problem.integer("B"), problem.integer(bins));
  for (std::size_t k = 0; k < values.size(); ++k) batch.data()[k] = static_cast<double>(values[k]);
  return batch;
}

/// A plan's row i of item b: exp(log u_i + log v_j - C_ij / reg), and the logarithms.
template <class Real>
void plan_row(const Costs<Real>& costs, double reg, const Reference& at, std::size_t b, std::size_t i,
              Line& logs, Line& cells) {
  const auto item = static_cast<Eigen::Index>(b);
  costs.row(b, i, 0, {logs.data(), costs.N});
  logs = at.log_u(item, static_cast<Eigen::Index>(i)) + at.log_v.row(item).transpose() - logs / reg;
  cells = (logs > -745).select(logs.exp(), 0.);  // Eigen's exp does not go below
}

}  // namespace

template <class Real>
Masses masses_in(const Point& problem, Arrays& inputs) {
  return {batch_of<Real>(inputs, "mu", problem, "M"), batch_of<Real>(inputs, "nu", problem, "N"),
          batch_of<Real>(inputs, "log_mu", problem, "M"), batch_of<Real>(inputs, "log_nu", problem, "N")};
}

template <class Real>
Reference start_of(const Point& problem, Arrays& inputs, const Masses& masses) {
  const auto given = [&](const char* name, const char* bins, const Batch& log_mass) -> Batch {
    Batch start = inputs.has(name) ? batch_of<Real>(inputs, name, problem, bins)
                                   : Batch(Batch::Zero(log_mass.rows(), log_mass.cols()));
    return (log_mass == none).select(none, start);
  };
  return {given("log_u0", "M", masses.log_mu), given("log_v0", "N", masses.log_nu)};
}

template <class Real>
void iterate(const Costs<Real>& costs, const Masses& masses, double reg, bool symmetric, int iterations,
             double tol, Reference& state) {
  const auto B = static_cast<std::size_t>(state.log_u.rows());
  const std::size_t M = costs.M, N = costs.N;
  Reference before;
  for (int k = 0; k < iterations; ++k) {
    before = state;
#pragma omp parallel for collapse(2) schedule(static) if (B * M * N >= worth_a_team)
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t part = 0; part < blocks_in(N); ++part)
        columns(costs, reg, b, part * block, std::min(N, (part + 1) * block), before.log_u.data() + b * M,
                masses.log_nu.data() + b * N, symmetric, state.log_v.data() + b * N);
    if (tol > 0 && columns_error(masses, before.log_v, state.log_v) <= tol) return;
    const double* const log_v = symmetric ? before.log_v.data() : state.log_v.data();
#pragma omp parallel for collapse(2) schedule(static) if (B * M * N >= worth_a_team)
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t part = 0; part < blocks_in(M); ++part)
        rows(costs, reg, b, part * block, std::min(M, (part + 1) * block), log_v + b * N,
             masses.log_mu.data() + b * M, symmetric, state.log_u.data() + b * M);
  }
}

template <class Real>
double dual_value(const Costs<Real>& costs, const Masses& masses, double reg, const Reference& at,
                  std::size_t b) {
  const auto item = static_cast<Eigen::Index>(b);
  const auto N = static_cast<Eigen::Index>(costs.N);
  Line logs(N), cells(N);
  double mass = 0, linear = 0;
  for (std::size_t i = 0; i < costs.M; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (masses.mu(item, row) == 0) continue;
    plan_row(costs, reg, at, b, i, logs, cells);
    mass += cells.sum();
    linear += at.log_u(item, row) * masses.mu(item, row);
  }
  for (Eigen::Index j = 0; j < N; ++j)
    if (masses.nu(item, j) > 0) linear += at.log_v(item, j) * masses.nu(item, j);
  return reg * (linear - mass);
}

template <class Real>
Quality quality(const Costs<Real>& costs, const Masses& masses, double reg, const Reference& at,
                std::size_t b) {
  const auto item = static_cast<Eigen::Index>(b);
  const auto M = static_cast<Eigen::Index>(costs.M), N = static_cast<Eigen::Index>(costs.N);
  const Line mu = masses.mu.row(item), nu = masses.nu.row(item);
  Line logs(N), cells(N), row_sums(M), column_sums = Line::Zero(N);
  const auto each_row = [&](auto take) {
    for (Eigen::Index i = 0; i < M; ++i) {
      plan_row(costs, reg, at, b, static_cast<std::size_t>(i), logs, cells);
      take(i);
    }
  };
  each_row([&](Eigen::Index i) {
    row_sums[i] = cells.sum();
    column_sums += cells;
  });
  // Rows and then columns are scaled down to their masses; what is missing is spread over both.
  const auto shrink = [](const Line& mass, const Line& sums) -> Line {
    return (sums > mass).select(mass / sums, 1.);
  };
  const Line x = shrink(mu, row_sums);
  column_sums.setZero();
  each_row([&](Eigen::Index i) { column_sums += x[i] * cells; });
  const Line y = shrink(nu, column_sums);
  Line missing_rows(M);
  each_row([&](Eigen::Index i) { missing_rows[i] = std::max(0., mu[i] - x[i] * (cells * y).sum()); });
  const Line missing_columns = (nu - column_sums * y).max(0.);
  const double missing = missing_rows.sum();

  Quality found;
  found.marginals = (row_sums - mu).abs().sum();
  column_sums.setZero();
  each_row([&](Eigen::Index i) {
    column_sums += cells;
    const double spread = missing > 0 ? missing_rows[i] / missing : 0;
    for (Eigen::Index j = 0; j < N; ++j) {
      const double rounded = cells[j] * x[i] * y[j] + spread * missing_columns[j];
      if (rounded > 0) found.gap += rounded * (std::log(rounded) - logs[j]) - rounded;
      found.gap += cells[j];
    }
  });
  found.gap *= reg;
  found.marginals += (column_sums - nu).abs().sum();
  return found;
}

template Masses masses_in<float>(const Point&, Arrays&);
template Masses masses_in<double>(const Point&, Arrays&);
template Reference start_of<float>(const Point&, Arrays&, const Masses&);
template Reference start_of<double>(const Point&, Arrays&, const Masses&);
template void iterate(const Costs<float>&, const Masses&, double, bool, int, double, Reference&);
template void iterate(const Costs<double>&, const Masses&, double, bool, int, double, Reference&);
template double dual_value(const Costs<float>&, const Masses&, double, const Reference&, std::size_t);
template double dual_value(const Costs<double>&, const Masses&, double, const Reference&, std::size_t);
template Quality quality(const Costs<float>&, const Masses&, double, const Reference&, std::size_t);
template Quality quality(const Costs<double>&, const Masses&, double, const Reference&, std::size_t);

}  // namespace uotbench::sinkhorn_log
