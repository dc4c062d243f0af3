#include "kernels/sinkhorn_log/oracle/spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace uotbench::sinkhorn_log {
namespace {

/// e^-40 is 4e-18: in double such a cell adds nothing to a sum of its line.
constexpr double negligible = 40;
/// Potentials that may be off by a tenth, and single ones by more, are no result.
constexpr double loosest = .1;

std::size_t at_largest(const std::vector<double>& units) {
  return static_cast<std::size_t>(std::ranges::max_element(units) - units.begin());
}

}  // namespace

double Spread::largest() const {
  return std::max(rows.empty() ? 1 : rows[at_largest(rows)],
                  columns.empty() ? 1 : columns[at_largest(columns)]);
}

double Spread::mean(std::span<const double> mu, std::span<const double> nu) const {
  double sum = 0, mass = 0;
  for (const auto& [units, masses] : {std::pair(&rows, mu), std::pair(&columns, nu)})
    for (std::size_t k = 0; k < masses.size(); ++k) sum += masses[k] * (*units)[k], mass += masses[k];
  return mass > 0 ? sum / mass : 1;
}

template <class Real>
Spread spread_of(const Costs<Real>& costs, std::size_t b, double reg, std::span<const double> log_u,
                 std::span<const double> log_v) {
  const std::size_t M = costs.M, N = costs.N;
  Spread spread{std::vector<double>(M), std::vector<double>(N)};
  std::vector<double> of_row(M, none), of_column(N, none), cells(N), sizes(N);
  const auto each_row = [&](auto act) {
    for (std::size_t i = 0; i < M; ++i) {
      if (!std::isfinite(log_u[i])) continue;
      costs.row(b, i, 0, cells);
      for (std::size_t j = 0; j < N; ++j) {
        const double log = log_u[i] + log_v[j] - cells[j] / reg;
        sizes[j] = std::abs(cells[j]);
        cells[j] = std::isfinite(log_v[j]) && std::isfinite(log) ? log : none;
      }
      act(i);
    }
  };
  each_row([&](std::size_t i) {
    for (std::size_t j = 0; j < N; ++j) {
      of_row[i] = std::max(of_row[i], cells[j]);
      of_column[j] = std::max(of_column[j], cells[j]);
    }
  });
  each_row([&](std::size_t i) {
    costs.enlarge(i, sizes);
    for (std::size_t j = 0; j < N; ++j) {
      if (cells[j] == none) continue;
      const double size = std::max({sizes[j] / reg, std::abs(log_u[i]), std::abs(log_v[j])});
      if (cells[j] >= of_row[i] - negligible) spread.rows[i] = std::max(spread.rows[i], size);
      if (cells[j] >= of_column[j] - negligible) spread.columns[j] = std::max(spread.columns[j], size);
    }
  });
  for (auto* units : {&spread.rows, &spread.columns})
    for (double& unit : *units) unit += 1;
  return spread;
}

std::string unverifiable(const Spread& spread, double tolerance, const std::string& what,
                         const std::string& dtype) {
  const double largest = spread.largest();
  if (!(tolerance * largest > loosest)) return "";
  const bool row = !spread.rows.empty() && spread.rows[at_largest(spread.rows)] == largest;
  const std::size_t line = at_largest(row ? spread.rows : spread.columns);
  return fmt::format(
      "cannot be verified: {}costs that carry mass in {} {}, or its potential, reach {:.3g} times reg, so {} "
      "may round "
      "{}[{}] by {:.2g}; expected at most {:.2g}: use {}a larger reg or smaller costs",
      what, row ? "row" : "column", line, largest - 1, dtype, row ? "log_u" : "log_v", line,
      tolerance * largest, loosest, dtype == "f32" ? "dtype=f64, " : "");
}

template Spread spread_of(const Costs<float>&, std::size_t, double, std::span<const double>,
                          std::span<const double>);
template Spread spread_of(const Costs<double>&, std::size_t, double, std::span<const double>,
                          std::span<const double>);

}  // namespace uotbench::sinkhorn_log
