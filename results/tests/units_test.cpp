#include "results/base/units.hpp"

#include <gtest/gtest.h>

namespace uotbench {
namespace {

TEST(Seconds, HaveFourDigitsAndTheUnitThatFits) {
  EXPECT_EQ(format_seconds(0), "0.000 ns");
  EXPECT_EQ(format_seconds(3.2e-9), "3.200 ns");
  EXPECT_EQ(format_seconds(20.014e-6), "20.01 us");
  EXPECT_EQ(format_seconds(0.0012344), "1.234 ms");
  EXPECT_EQ(format_seconds(0.1), "100.0 ms");
  EXPECT_EQ(format_seconds(12.345678), "12.35 s");
  EXPECT_EQ(format_seconds(1234.5678), "1235 s");
  EXPECT_EQ(format_seconds(123456), "123456 s");
}

// 999.96 us rounds to 1000: four digits of the next unit, not five of this one.
TEST(Seconds, ThatRoundUpTakeTheNextUnit) {
  EXPECT_EQ(format_seconds(999.949e-6), "999.9 us");
  EXPECT_EQ(format_seconds(999.96e-6), "1.000 ms");
  EXPECT_EQ(format_seconds(999.99e-9), "1.000 us");
  EXPECT_EQ(format_seconds(0.99997), "1.000 s");
  EXPECT_EQ(format_seconds(9.99951), "10.00 s");
  EXPECT_EQ(format_seconds(99.996), "100.0 s");
}

TEST(Bytes, AreBinary) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(400.0 * 1024 * 1024), "400.0 MiB");
  EXPECT_EQ(format_bytes(1024. * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(format_bytes(5e15), "4547.5 TiB");
}

TEST(Bandwidth, IsDecimal) {
  EXPECT_EQ(format_bandwidth(512e3), "0.5 MB/s");
  EXPECT_EQ(format_bandwidth(38.14e9), "38.1 GB/s");
  EXPECT_EQ(format_bandwidth(999.96e6), "1.0 GB/s");
  EXPECT_EQ(format_bandwidth(3.352e12), "3.35 TB/s");
}

TEST(Flops, AreDecimal) {
  EXPECT_EQ(format_flops(512e3), "0.5 MFLOP/s");
  EXPECT_EQ(format_flops(793.6e9), "793.6 GFLOP/s");
  EXPECT_EQ(format_flops(999.96e9), "1.00 TFLOP/s");
}

TEST(Counts, AreDecimalAndSmallOnesExact) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(64), "64");
  EXPECT_EQ(format_count(9999), "9999");
  EXPECT_EQ(format_count(10000), "10.00k");
  EXPECT_EQ(format_count(0.25), "0.25");
  EXPECT_EQ(format_count(1234.5), "1.234k");
  EXPECT_EQ(format_count(999'960), "1.000M");
  EXPECT_EQ(format_count(16'777'216), "16.78M");
  EXPECT_EQ(format_count(4.2e12), "4.200T");
  EXPECT_EQ(format_count(1e300), "1.000e+300");
}

TEST(Percent, NeverShowsNoiseAsNone) {
  EXPECT_EQ(format_percent(0), "<0.1%");
  EXPECT_EQ(format_percent(0.0004), "<0.1%");
  EXPECT_EQ(format_percent(0.0006), "0.1%");
  EXPECT_EQ(format_percent(0.0123), "1.2%");
  EXPECT_EQ(format_percent(1.5), "150.0%");
}

TEST(Wait, IsAsPeopleSayIt) {
  EXPECT_EQ(format_wait(0.2), "0s");
  EXPECT_EQ(format_wait(3.2), "3s");
  EXPECT_EQ(format_wait(59.6), "1m00s");
  EXPECT_EQ(format_wait(65.4), "1m05s");
  EXPECT_EQ(format_wait(3600), "1h00m");
  EXPECT_EQ(format_wait(7325), "2h02m");
}

// A record, a sweep and a worker may hold any number; none fills a screen.
TEST(Units, NeverMakeARowOfDigits) {
  EXPECT_EQ(format_bytes(1e300), "9.095e+287 TiB");
  for (const double value : {1e7, 1e15, 1e16, 1e300, 1.7e308, -1e300})
    for (const auto format : {format_seconds, format_bytes, format_bandwidth, format_flops, format_count,
                              format_percent, format_wait})
      EXPECT_LT(format(value).size(), 20u) << format(value);
  EXPECT_EQ(format_wait(1e300), "1.000e+300s");
}

}  // namespace
}  // namespace uotbench
