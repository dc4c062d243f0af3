// CUDA's words mean here what they mean on a GPU.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/simt/cuda.hpp"
#include "harness/simt/executor/executor.hpp"
#include "harness/simt/executor/symbols.hpp"
#include "harness/simt/tests/kernels/kernels.hpp"

namespace uotbench::simt::tests {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

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
