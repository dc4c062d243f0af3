#include "kernels/uot/oracle/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/worker/parallel.hpp"
#include "kernels/uot/oracle/blocks.hpp"

namespace uotbench::uot {
namespace {

struct Step {
  double fi;
  bool damped;

  double operator()(double scaling, double mass, double sum) const {
    if (mass == 0) return 0;
    const double step = std::pow(mass / sum, fi);
    return damped ? std::pow(scaling, 1 - fi) * step : step;
  }
};

/// "u of row 3 is inf after iteration 2", or nothing.
std::string overflow_in(const Eigen::VectorXd& scaling, const char* name, const char* line, int iteration) {
  const auto odd = std::find_if(scaling.begin(), scaling.end(), [](double x) { return !std::isfinite(x); });
  if (odd == scaling.end()) return "";
  return fmt::format("{} of {} {} is {} after iteration {}", name, line, odd - scaling.begin(), *odd,
                     iteration);
}

}  // namespace

template <class Mass, class Entry>
Reference solve(std::span<const std::type_identity_t<Entry>> K, std::span<const Mass> a,
                std::span<const Mass> b, double fi, bool damped, int iterations) {
  using Row = Eigen::Map<const Eigen::VectorX<Entry>>;
  const std::size_t M = a.size(), N = b.size();
  const auto columns = static_cast<Eigen::Index>(N);
  const std::size_t blocks = (M + rows_per_block - 1) / rows_per_block;
  const Step step{fi, damped};
  Reference result{.u = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(M)),
                   .v = Eigen::VectorXd::Ones(columns)};
  auto& [u, v, mass, overflow] = result;
  Eigen::MatrixXd partial(columns, static_cast<Eigen::Index>(blocks));

  for (int iteration = 1; iteration <= iterations; ++iteration) {
    // Each row is read once: its step needs K v, and then its share of K'u is known.
#pragma omp parallel if (M * N >= worth_a_team)
    {
      Eigen::VectorXd row(columns);
#pragma omp for schedule(static)
      for (std::size_t block = 0; block < blocks; ++block) {
        auto sum = partial.col(static_cast<Eigen::Index>(block));
        sum.setZero();
        for (std::size_t i = block * rows_per_block; i < std::min(M, (block + 1) * rows_per_block); ++i) {
          row = Row(K.data() + i * N, columns).template cast<double>();
          const auto at = static_cast<Eigen::Index>(i);
          u[at] = step(u[at], static_cast<double>(a[i]), row.dot(v));
          sum += u[at] * row;
        }
      }
    }
    const Eigen::VectorXd sums = partial.rowwise().sum();
    mass = 0;
    for (Eigen::Index j = 0; j < columns; ++j) {
      v[j] = step(v[j], static_cast<double>(b[static_cast<std::size_t>(j)]), sums[j]);
      mass += v[j] * sums[j];
    }
    // At once: one infinite u makes every v, and then every u, not a number.
    overflow = overflow_in(u, "u", "row", iteration);
    if (overflow.empty()) overflow = overflow_in(v, "v", "column", iteration);
    if (!overflow.empty()) break;
  }
  return result;
}

template Reference solve<float>(std::span<const float>, std::span<const float>, std::span<const float>,
                                double, bool, int);
template Reference solve<float, double>(std::span<const double>, std::span<const float>,
                                        std::span<const float>, double, bool, int);
template Reference solve<double>(std::span<const double>, std::span<const double>, std::span<const double>,
                                 double, bool, int);

}  // namespace uotbench::uot
