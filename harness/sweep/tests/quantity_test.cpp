#include <gtest/gtest.h>

#include "harness/protocol/tests/refusal.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

TEST(Duration, IsANumberAndAUnit) {
  EXPECT_DOUBLE_EQ(parse_duration("500ms"), 0.5);
  EXPECT_DOUBLE_EQ(parse_duration("2s"), 2);
  EXPECT_DOUBLE_EQ(parse_duration("1.5m"), 90);
  EXPECT_DOUBLE_EQ(parse_duration("1h"), 3600);
  EXPECT_DOUBLE_EQ(parse_duration("0s"), 0);
}

TEST(Percent, IsAShare) {
  EXPECT_DOUBLE_EQ(parse_percent("2%"), 0.02);
  EXPECT_DOUBLE_EQ(parse_percent("0.5%"), 0.005);
}

TEST(Bytes, AreBinary) {
  EXPECT_DOUBLE_EQ(parse_bytes("1KiB"), 1024);
  EXPECT_DOUBLE_EQ(parse_bytes("512MiB"), 536870912);
  EXPECT_DOUBLE_EQ(parse_bytes("1.5GiB"), 1610612736);
}

// A number without its unit is the classic slip: 2 what?
TEST(Quantity, RefusesEverythingElse) {
  for (const std::string text : {"2", "", "s", "2 s", " 2s", "2S", "2sec", "-2s", "nans", "infs", "0x10s",
                                 "1e400s", "1e308h", "2s2s", "+2s"})
    EXPECT_EQ(complaint([&] { parse_duration(text); }),
              "\"" + text + "\" is not a duration such as 500ms, 2s, 5m or 1h");
  for (const std::string text : {"2", "%", "-1%", "nan%", "2%%"})
    EXPECT_EQ(complaint([&] { parse_percent(text); }), "\"" + text + "\" is not a percentage such as 2%");
  for (const std::string text : {"512", "4GB", "4G", "-4GiB", "inf"})
    EXPECT_EQ(complaint([&] { parse_bytes(text); }),
              "\"" + text + "\" is not an amount of memory such as 512MiB or 4GiB");
}

}  // namespace
}  // namespace uotbench
