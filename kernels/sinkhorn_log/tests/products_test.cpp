// The products of a kernel and of weights are what plain loops make of them.
#include <gtest/gtest.h>

#include <random>

#include "kernels/sinkhorn_log/timed/item_product.hpp"
#include "kernels/sinkhorn_log/timed/lane_product.hpp"

namespace uotbench::sinkhorn_log {
namespace {

/// Exponents (rows x columns) and fields (items x rows) of 0 to -range, in base 2.
struct Range {
  Range(std::size_t rows, std::size_t columns, std::size_t items, double its_range)
      : M(rows), N(columns), B(items), range(its_range), exponents(M * N), fields(B * M) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> some(-range, 0);
    for (double& each : exponents) each = some(random);
    for (double& each : fields) each = some(random);
  }
  double sum(std::size_t b, std::size_t j) const {
    double most = -INFINITY, sum = 0;
    const auto term = [&](std::size_t i) { return exponents[i * N + j] + fields[b * M + i]; };
    for (std::size_t i = 0; i < M; ++i) most = std::max(most, term(i));
    for (std::size_t i = 0; i < M; ++i) sum += std::exp2(term(i) - most);
    return most + std::log2(sum);
  }
  /// A few roundings of the largest term.
  template <class Real>
  double off() const {
    return 16 * range * double(std::numeric_limits<Real>::epsilon());
  }

  std::size_t M, N, B;
  double range;
  std::vector<double> exponents, fields;
};

/// Sizes around blocks of 12 and 8, vectors and tiles of them.
const std::vector<std::array<std::size_t, 3>> sizes{{1, 1, 1},   {12, 24, 2},  {13, 11, 3},
                                                    {29, 17, 9}, {8, 400, 34}, {401, 5, 1}};

template <class Real>
class LaneProductTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(LaneProductTest, Reals);

/// Sums over rows, or over columns of the transpose; returns how many were made again.
template <class Real, bool over_rows>
std::size_t hold_lanes_to(const Range& given) {
  using Pack = typename Lanes<Real>::Pack;
  const std::size_t M = given.M, N = given.N;
  LaneProduct<Real> product(over_rows ? M : N, over_rows ? N : M, [&](std::size_t i, std::size_t j) {
    return given.exponents[over_rows ? i * N + j : j * N + i];
  });
  Lanes<Real> from(M, given.B), weights(M, given.B);
  for (std::size_t b = 0; b < given.B; ++b)
    for (std::size_t i = 0; i < M; ++i) from.lane(i, b) = static_cast<Real>(given.fields[b * M + i]);
  Buffer<Real> largest(from.vectors() * Pack::size());
  std::vector<double> got(given.B * N, NAN);
  const Again again = product.template logsumexp<over_rows>(
      from, weights, largest, [&](std::size_t j, std::size_t vector, Pack lse) {
        for (std::size_t k = 0; k < Pack::size(); ++k)
          if (const std::size_t b = vector * Pack::size() + k; b < given.B) got[b * N + j] = double(lse[k]);
      });
  for (std::size_t b = 0; b < given.B; ++b)
    for (std::size_t j = 0; j < N; ++j)
      EXPECT_NEAR(got[b * N + j], given.sum(b, j), given.off<Real>())
          << M << 'x' << N << ", item " << b << ", " << j;
  return again.sums;
}

TYPED_TEST(LaneProductTest, IsThePlainLoopOverRowsAndOverColumns) {
  for (const auto& [M, N, B] : sizes) {
    const Range given(M, N, B, 20);
    EXPECT_EQ((hold_lanes_to<TypeParam, true>(given)), 0u);
    EXPECT_EQ((hold_lanes_to<TypeParam, false>(given)), 0u);
  }
}

// The first row has the largest fields and the smallest exponents, the others the reverse.
TYPED_TEST(LaneProductTest, SumsThatUnderflowAreMadeAgain) {
  const double range = 8. * std::numeric_limits<TypeParam>::max_exponent;
  for (const auto& [M, N, B] : sizes) {
    if (M == 1) continue;
    Range given(M, N, B, range / 8);
    for (std::size_t i = 0; i < M; ++i) {
      for (std::size_t j = 0; j < N; ++j) given.exponents[i * N + j] -= i == 0 ? range : 0;
      for (std::size_t b = 0; b < B; ++b) given.fields[b * M + i] -= i == 0 ? 0 : range;
    }
    given.range = 2 * range;
    EXPECT_EQ((hold_lanes_to<TypeParam, true>(given)), B * N);
    EXPECT_EQ((hold_lanes_to<TypeParam, false>(given)), B * N);
  }
}

template <class Real>
class ItemProductTest : public testing::Test {};
TYPED_TEST_SUITE(ItemProductTest, Reals);

TYPED_TEST(ItemProductTest, IsThePlainLoopOverRowsAndOverColumns) {
  using Real = TypeParam;
  using Pack = PackOf<Real>;
  for (const auto& [M, N, B] : sizes)
    for (const bool over_rows : {true, false}) {
      const Range given(M, N, B, 20);
      const std::size_t outputs = N;
      ItemProduct<Real> product(over_rows ? M : N, over_rows ? N : M, B, [&](std::size_t i, std::size_t j) {
        return given.exponents[over_rows ? i * N + j : j * N + i];
      });
      std::vector<Real> from, shifts(B);
      for (const double field : given.fields) from.push_back(static_cast<Real>(field / std::numbers::log2e));
      std::vector<double> got(B * N, NAN);
      const auto take = [&](std::size_t b, std::size_t j, std::size_t many, Pack sums, Real shift) {
        for (std::size_t k = 0; k < std::min(many, outputs - std::min(j, outputs)); ++k)
          got[b * N + j + k] = double(shift) * std::numbers::log2e + product.largest +
                               std::log2(std::ldexp(double(sums[k]), -2 * product.room.bits));
      };
#pragma omp parallel num_threads(2)
      {
        if (over_rows)
          product.over_rows(from.data(), M, shifts.data(), take);
        else
          product.over_columns(from.data(), M, shifts.data(), take);
      }
      for (std::size_t b = 0; b < B; ++b)
        for (std::size_t j = 0; j < N; ++j)
          EXPECT_NEAR(got[b * N + j], given.sum(b, j), given.off<Real>())
              << M << 'x' << N << ", item " << b << ", " << j << (over_rows ? ", over rows" : "");
    }
}

}  // namespace
}  // namespace uotbench::sinkhorn_log
