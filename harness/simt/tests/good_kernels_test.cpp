// What right kernels compute, in any order of their threads; CUDA's words mean here what they mean on a GPU.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "harness/simt/cuda.hpp"
#include "harness/simt/executor/executor.hpp"
#include "harness/simt/executor/symbols.hpp"
#include "harness/simt/tests/kernels/kernels.hpp"

namespace uotbench::simt::tests {
namespace {

using testing::ElementsAre;
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

TEST(Collectives, GiveEachLaneWhatItAsksFor) {
  const std::vector<int> results = exchanged();
  for (int thread = 0; thread < 64; ++thread) {
    const int lane = thread % 32, begin = lane / 8 * 8;
    const std::vector<int> mine(results.begin() + thread * exchanges,
                                results.begin() + (thread + 1) * exchanges);
    EXPECT_THAT(mine, ElementsAre(lane - begin < 3 ? lane : lane - 3, lane - begin > 4 ? lane : lane + 3,
                                  lane ^ 5, begin + 2, static_cast<int>(0xaaaaaaaa), 1, 0,
                                  static_cast<int>(0xffu << begin), 31 * 16 - 32 * 5, -5, 26, 31, 32, 0, 1))
        << thread;
  }
}

TEST(Atomics, GiveTheOldValueAndLeaveTheNewOne) {
  std::vector<unsigned> expected(12, 12);
  for (const unsigned value : {22u, 2u, 10u, 12u, 8u, 14u, 6u, 10u, 12u, 10u, 0u, 10u})
    expected.push_back(value);
  EXPECT_THAT(atomics(), ElementsAreArray(expected));
}

TEST(Functions, AreThoseOfCuda) {
  EXPECT_THAT(functions(4.f),
              testing::Pointwise(testing::FloatEq(), {std::exp(4.f), 0.5f, 0.25f, 17.f, 3.f, 4.f, 4.f, 4.f,
                                                      31.f, 4.f, 4.f, 16.f, 16.f, 8.f, 1.f}));
}

TEST(Launches, ConvertTheirArguments) {
  EXPECT_THAT(parameters(), ElementsAre(-3, 4000000000., 0.5, 1, 2, 1));
}

class Orders : public testing::Test {
 protected:
  ~Orders() override { set_order(Order::ascending); }
};

TEST_F(Orders, AreOfBlocksWarpsAndLanes) {
  std::vector<int> ascending(3 * 70), descending;
  for (int i = 0; i < 210; ++i) ascending[static_cast<std::size_t>(i)] = i;
  descending.assign(ascending.rbegin(), ascending.rend());
  set_order(Order::ascending);
  EXPECT_EQ(order_of_threads(3, 70), ascending);
  set_order(Order::descending);
  EXPECT_EQ(order_of_threads(3, 70), descending);
  set_order(Order::shuffled, 5);
  const std::vector<int> shuffled = order_of_threads(3, 70);
  EXPECT_NE(shuffled, ascending);
  EXPECT_THAT(shuffled, testing::UnorderedElementsAreArray(ascending));
  set_order(Order::shuffled, 5);
  EXPECT_EQ(order_of_threads(3, 70), shuffled) << "the same seed";
  set_order(Order::shuffled, 6);
  EXPECT_NE(order_of_threads(3, 70), shuffled) << "another seed";
}

TEST_F(Orders, AreMixedFromLaunchToLaunch) {
  set_order(Order::mixed);
  const std::vector<int> ascending = order_of_threads(3, 40), descending = order_of_threads(3, 40),
                         shuffled = order_of_threads(3, 40);
  EXPECT_TRUE(std::is_sorted(ascending.begin(), ascending.end()));
  EXPECT_TRUE(std::is_sorted(descending.rbegin(), descending.rend()));
  EXPECT_FALSE(std::is_sorted(shuffled.begin(), shuffled.end()));
  EXPECT_EQ(order_of_threads(3, 40), ascending);
  for (const int blocks : {1, 2, 7, 64}) {
    std::vector<int> sorted = order_of_threads(blocks, 1);
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted.back(), blocks - 1) << "every block runs";
    EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end()) << "and once";
  }
}

TEST(Names, OfKernelsAreShort) {
  EXPECT_EQ(
      short_name("void uotbench::uot::(anonymous namespace)::part2<float, 8>(float*, float const*, int)"),
      "part2<float, 8>");
  EXPECT_EQ(short_name("plain"), "plain");
  EXPECT_EQ(short_name("a::b(int (*)(long))"), "b");
  EXPECT_EQ(short_name("void k<(a::(anonymous namespace)::Mode)1, std::pair<int, long> >(int)"),
            "k<(a::Mode)1, std::pair<int, long> >");
  EXPECT_EQ(symbol_of(nullptr).name, "0x0");
}

// Every number of 16 bits, and the floats beside and between them.
template <class Number>
void expect_round_to_nearest_even() {
  std::map<float, unsigned> numbers;  // the finite ones, by their value; zeros are one
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const Number number = __builtin_bit_cast(Number, static_cast<unsigned short>(bits));
    const float value = static_cast<float>(number);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(Number(value))));
      continue;
    }
    EXPECT_EQ(Number(value).bits, bits) << value;
    if (std::isfinite(value)) numbers.emplace(value, bits);
  }
  for (auto next = numbers.begin(), low = next++; next != numbers.end(); low = next++) {
    const float middle = static_cast<float>((static_cast<double>(low->first) + next->first) / 2);
    const float even = low->second % 2 == 0 ? low->first : next->first;
    EXPECT_EQ(static_cast<float>(Number(middle)), even);
    EXPECT_EQ(static_cast<float>(Number(std::nextafter(middle, -INFINITY))), low->first);
    EXPECT_EQ(static_cast<float>(Number(std::nextafter(middle, INFINITY))), next->first);
  }
}

TEST(NumbersOf16Bits, RoundToTheNearestTiesToEven) {
  expect_round_to_nearest_even<__half>();
  expect_round_to_nearest_even<__nv_bfloat16>();
  EXPECT_EQ(static_cast<float>(__half(65519.f)), 65504.f);
  EXPECT_EQ(static_cast<float>(__half(65520.f)), INFINITY);
  EXPECT_EQ(static_cast<float>(__half(-1e30f)), -INFINITY);
  EXPECT_EQ(static_cast<float>(__nv_bfloat16(3.4e38f)), INFINITY);
}

TEST(NumbersOf16Bits, ComeInPairs) {
  const __half2 halves = __floats2half2_rn(1.5f, -2.f);
  EXPECT_EQ(__low2float(halves), 1.5f);
  EXPECT_EQ(__half22float2(halves).y, -2.f);
  const __nv_bfloat162 pair = __float22bfloat162_rn(make_float2(3.f, 0.25f));
  EXPECT_EQ(__bfloat1622float2(pair).x, 3.f);
  EXPECT_EQ(__high2float(pair), 0.25f);
  EXPECT_EQ(sizeof pair, 4u);
  EXPECT_EQ(static_cast<float>(__half(1.f) + __half(0x1p-11f)), 1.f);
}

}  // namespace
}  // namespace uotbench::simt::tests
