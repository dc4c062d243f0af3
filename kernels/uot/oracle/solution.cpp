#include "kernels/uot/oracle/solution.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/uot/oracle/semi_dual.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {
namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

/// The rows and columns with mass, and what stands in them.
struct Positive {
  explicit Positive(std::span<const double> masses) {
    for (std::size_t k = 0; k < masses.size(); ++k)
      if (masses[k] > 0) at.push_back(k);
    logs.resize(static_cast<Eigen::Index>(at.size()));
    for (std::size_t k = 0; k < at.size(); ++k) logs.data()[k] = std::log(masses[at[k]]);
  }
  std::vector<std::size_t> at;
  Eigen::ArrayXd logs;
};

/// K without the lines that have no mass.
LogKernel restricted(const LogKernel& K, const Positive& rows, const Positive& columns) {
  if (rows.at.size() == K.M && columns.at.size() == K.N) return K;
  return {rows.at.size(), columns.at.size(), [&](std::size_t i, std::span<double> row) {
            std::vector<double> whole(K.N);
            K.row(rows.at[i], whole);
            for (std::size_t j = 0; j < row.size(); ++j) row[j] = whole[columns.at[j]];
          }};
}

std::vector<double> spread(const Eigen::ArrayXd& values, const Positive& lines, std::size_t count,
                           double elsewhere) {
  std::vector<double> all(count, elsewhere);
  for (std::size_t k = 0; k < lines.at.size(); ++k) all[lines.at[k]] = values.data()[k];
  return all;
}

/// One level: Newton steps where they go up, Sinkhorn iterations where they do not.
void climb(SemiDual& dual, double tolerance) {
  constexpr int most_steps = 200;
  constexpr int patience = 20;  // iterations in place of a Newton step that failed
  double change = dual.iterate();
  double best = change;
  for (int step = 0, stuck = 0; step < most_steps && change > tolerance && stuck < 4; ++step) {
    if (!dual.newton(change))
      for (int k = 0; k < patience; ++k) dual.iterate();
    change = dual.iterate();
    stuck = change < .5 * best || change > 1e-9 ? 0 : stuck + 1;  // rounding is all that is left
    best = std::min(best, change);
  }
}

}  // namespace

template <class Real>
LogKernel log_kernel(std::span<const Real> C, std::span<const Real> K, std::span<const Real> a,
                     std::span<const Real> b, double reg, bool kl) {
  const std::size_t N = b.size();
  std::vector<double> logs(N, 0.);
  if (kl)
    std::ranges::transform(b, logs.begin(), [](Real mass) { return std::log(static_cast<double>(mass)); });
  const auto row = [=, logs = std::move(logs)](std::size_t i, std::span<double> out) {
    if (C.empty()) {
      for (std::size_t j = 0; j < N; ++j) out[j] = std::log(static_cast<double>(K[i * N + j]));
      return;
    }
    const double log_a = kl ? std::log(static_cast<double>(a[i])) : 0;
    for (std::size_t j = 0; j < N; ++j) out[j] = log_a + logs[j] - static_cast<double>(C[i * N + j]) / reg;
  };
  return {a.size(), N, row};
}

Solution solution(const LogKernel& K, const std::vector<double>& a, const std::vector<double>& b, double fi) {
  const Positive rows(a), columns(b);
  const double rho = fi / (1 - fi);
  SemiDual dual(restricted(K, rows, columns), rows.logs, columns.logs);
  // Costs that are many times reg are approached in steps, each a good start for the next (epsilon scaling:
  // Schmitzer 2019, section 3.3).
  for (double t = std::min(1., 30 / dual.spread());; t = std::min(1., 4 * t)) {
    dual.set_level(t, rho);
    climb(dual, t < 1 ? 1e-2 : 1e-14 * dual.scale());
    if (t == 1) break;
  }

  const auto [residual, gap, mass] = dual.end();
  if (!(residual <= solved_to))
    throw Error(fmt::format("the oracle came to {:.1e} of the solution, not to {:.0e}; try a larger reg",
                            residual, solved_to));
  if (!(mass > 0)) throw Error("the solution has no mass that a double holds; try a larger reg or reg_m");
  const Eigen::ArrayXd r = (rows.logs - dual.f() / rho).exp(), c = (columns.logs - dual.g() / rho).exp();
  Solution end{.f = spread(dual.f(), rows, K.M, none),
               .g = spread(dual.g(), columns, K.N, none),
               .r = spread(r, rows, K.M, 0),
               .c = spread(c, columns, K.N, 0),
               .mass = mass,
               .residual = residual,
               .passes = dual.passes()};
  end.objective = rho * (rows.logs.exp().sum() + columns.logs.exp().sum()) - (2 * rho + 1) * end.mass;
  end.gap = gap / std::max(std::abs(end.objective), end.mass);
  return end;
}

template LogKernel log_kernel(std::span<const float>, std::span<const float>, std::span<const float>,
                              std::span<const float>, double, bool);
template LogKernel log_kernel(std::span<const double>, std::span<const double>, std::span<const double>,
                              std::span<const double>, double, bool);

}  // namespace uotbench::uot
