// Whoever is blamed has a place, or it is said where in the program it stands.
#include "harness/trace/base/source_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace uotbench::trace {
namespace {

void somewhere() {}
const auto place = reinterpret_cast<std::uint64_t>(&somewhere);

TEST(SourceLinesTest, WithoutAddr2lineAreOffsets) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const auto lines = source_lines({place, 0});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(lines,
              testing::ElementsAre(testing::MatchesRegex("harness_trace_tests\\+0x[0-9a-f]+"), "elsewhere"));
}

TEST(SourceLinesTest, OfNothingAreNone) { EXPECT_TRUE(source_lines({}).empty()); }

}  // namespace
}  // namespace uotbench::trace
