// What right kernels compute, in any order of their threads.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "harness/simt/executor/executor.hpp"
#include "harness/simt/tests/kernels/kernels.hpp"

namespace uotbench::simt::tests {
namespace {

using testing::ElementsAreArray;
using testing::Pointwise;

/// 1, 2, 3, 1, …: whole numbers, whose sums are exact in any order.
Floats small_numbers(std::size_t count) {
  Floats values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 7 + 1);
  return values;
}

class GoodKernels : public testing::TestWithParam<Order> {
 protected:
  GoodKernels() { set_order(GetParam(), 7); }
  ~GoodKernels() override { set_order(Order::ascending); }
};

TEST_P(GoodKernels, AddUpWithShufflesSharedMemoryAndAtomics) {
  const Floats values = small_numbers(10007);
  const float expected = std::accumulate(values.begin(), values.end(), 0.f);
  for (const int block : {32, 96, 256, 1024}) EXPECT_EQ(sum(values, block), expected) << block;
}

TEST_P(GoodKernels, TransposeThroughSharedMemory) {
  constexpr int rows = 45, columns = 70;
  Floats matrix(rows * columns), expected(matrix.size());
  std::iota(matrix.begin(), matrix.end(), 0.f);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      expected[static_cast<std::size_t>(x * rows + y)] = matrix[static_cast<std::size_t>(y * columns + x)];
  EXPECT_THAT(transposed(matrix, rows, columns), ElementsAreArray(expected));
}

TEST_P(GoodKernels, CountWithAtomicsInSharedAndGlobalMemory) {
  std::vector<unsigned char> values(5000);
  std::vector<unsigned> expected(256);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<unsigned char>(i * i % 251);
    ++expected[values[i]];
  }
  EXPECT_THAT(histogram(values), ElementsAreArray(expected));
}

TEST_P(GoodKernels, HaveAsMuchDynamicSharedMemoryAsALaunchGivesThem) {
  Floats values(512), expected(512);
  std::iota(values.begin(), values.end(), 0.f);
  for (std::size_t i = 0; i < 512; ++i) expected[i] = static_cast<float>(i / 128 * 128 + 127 - i % 128);
  EXPECT_THAT(reversed_blocks(values, 128), ElementsAreArray(expected));
}

TEST_P(GoodKernels, ReadConstants) {
  const Floats x{0, 1, 2, 3};
  EXPECT_THAT(polynomial(x, {1, 2, 3}), testing::ElementsAre(1, 6, 17, 34));
  EXPECT_THAT(polynomial(x, {0, 0, 1}), testing::ElementsAre(0, 1, 4, 9));
}

TEST_P(GoodKernels, ChangeVariablesOfTheDevice) {
  const Floats values = small_numbers(700);
  EXPECT_EQ(count_above(values, 5.5f), 200u);
  EXPECT_EQ(count_above(values, 6.5f), 100u);
}

TEST_P(GoodKernels, StoreNumbersOf16Bits) {
  const Floats x{1.f, -2.5f, 1.f + 0x1p-11f, 1.f + 0x1p-10f, 0x1p-24f, 65504.f, 70000.f};
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_THAT(through_half(x),
              testing::ElementsAre(1.f, -2.5f, 1.f, 1.f + 0x1p-10f, 0x1p-24f, 65504.f, infinite));
  EXPECT_THAT(through_bfloat16(x), testing::ElementsAre(1.f, -2.5f, 1.f, 1.f, 0x1p-24f, 65536.f, 70144.f));
}

TEST_P(GoodKernels, CopyAsynchronously) {
  const Floats values = small_numbers(128);
  Floats expected(128);
  for (std::size_t i = 0; i < 128; ++i) expected[i] = values[i] + values[i / 64 * 64 + (i % 64 + 1) % 64];
  EXPECT_THAT(neighbour_sums(values), ElementsAreArray(expected));
}

TEST_P(GoodKernels, LetLanesEndBeforeOthersMeet) {
  Floats values(200), expected(7);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i * 37 % 101 + 1);
    expected[i / 32] = std::max(expected[i / 32], values[i]);
  }
  EXPECT_THAT(warp_maxima(values), ElementsAreArray(expected));
}

TEST_P(GoodKernels, ReadAndWriteVectors) {
  const Floats x = small_numbers(400), y = small_numbers(400);
  Floats expected(400);
  for (std::size_t i = 0; i < 400; ++i) expected[i] = 2 * (x[i] + y[i]);
  EXPECT_THAT(axpy4(x, y, 2), ElementsAreArray(expected));
}

/// What differs from a small number by less than a format holds is rounded away; the rest is exact.
TEST_P(GoodKernels, MultiplyOnTensorCores) {
  for (const auto& [k, less] : {std::pair<std::size_t, float>{8, 0x1p-12f}, {16, 0x1p-10f}}) {
    Floats A(16 * k), B(8 * k), C(16 * 8, 3), expected(16 * 8);
    for (std::size_t i = 0; i < A.size(); ++i) A[i] = static_cast<float>(i * 7 % 13) - 6;
    for (std::size_t i = 0; i < B.size(); ++i) B[i] = static_cast<float>(i * 5 % 11) - 5;
    for (std::size_t row = 0; row < 16; ++row)
      for (std::size_t column = 0; column < 8; ++column) {
        expected[row * 8 + column] = 3;
        for (std::size_t i = 0; i < k; ++i) expected[row * 8 + column] += A[row * k + i] * B[column * k + i];
      }
    EXPECT_EQ(tensor_product(A, B, C), expected) << k;
    for (auto& each : A) each *= 1 + less;
    EXPECT_EQ(tensor_product(A, B, C), expected) << k;
    Floats half = A;
    for (auto& each : half) each *= .75f;  // two more digits, which both have
    for (auto& each : expected) each = 3 + .75f * (each - 3);
    EXPECT_EQ(tensor_product(half, B, C), expected) << k;
  }
}

TEST_P(GoodKernels, ScaleAMatrixTwice) {
  constexpr int height = 83, width = 150;
  const Floats original = small_numbers(height * width), rows = small_numbers(height),
               columns = small_numbers(width);
  Floats matrix = original, by_columns(width), by_rows(height), expected = original, expected_columns(width),
         expected_rows(height);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      const float scaled = original[y * width + x] * rows[y];
      expected_columns[x] += scaled;
      expected[y * width + x] = scaled * columns[x];
      expected_rows[y] += scaled * columns[x];
    }
  scale_twice(matrix, rows, columns, height, width, by_columns, by_rows);
  EXPECT_THAT(matrix, ElementsAreArray(expected));
  EXPECT_THAT(by_columns, ElementsAreArray(expected_columns));
  EXPECT_THAT(by_rows, ElementsAreArray(expected_rows));
}

INSTANTIATE_TEST_SUITE_P(InAnyOrder, GoodKernels,
                         testing::Values(Order::ascending, Order::descending, Order::shuffled, Order::mixed));

}  // namespace
}  // namespace uotbench::simt::tests
