#include "harness/worker/counters/callgrind_costs.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "results/base/error.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

class CallgrindCostsTest : public testing::Test {
 protected:
  CallgrindCosts read(const std::string& text, const std::vector<std::string>& events = {"Ir"}) {
    std::ofstream(folder_ / "out.1") << text;
    return read_callgrind_costs(folder_ / "out.1", events);
  }
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  const Folder folder_;
};

// Names and positions are shortened; what a called function costs is its own.
TEST_F(CallgrindCostsTest, EachFunctionAndLineHasWhatItCountedItself) {
  const CallgrindCosts costs = read(R"(# callgrind format
positions: line
events: Dr Ir
fl=(1) kernels/uot/x.cpp
fn=(1) uotbench::uot::X<float>::iterate()
10 1 100
+2 0 20
cfi=(2) kernels/uot/timed/sum.hpp
cfn=(2) sum(float const*, long)
calls=3 5
* 9 900
-1 0 7
fi=(2)
5 4 40
fe=(1)
12 0 1

fl=(2)
fn=(2)
5 9 900
+1
totals: 14 1068
)");
  EXPECT_THAT(costs.functions, UnorderedElementsAre(Pair("uotbench::uot::X<float>::iterate()", 168),
                                                    Pair("sum(float const*, long)", 900)));
  EXPECT_THAT(costs.lines, UnorderedElementsAre(
                               Pair("kernels/uot/x.cpp:10", 100), Pair("kernels/uot/x.cpp:12", 21),
                               Pair("kernels/uot/x.cpp:11", 7), Pair("kernels/uot/timed/sum.hpp:5", 940)));
}

TEST_F(CallgrindCostsTest, CodeWithoutDebugInformationHasNoLines) {
  const CallgrindCosts costs =
      read("positions: instr line\nevents: Ir\nfl=(1) ???\nfn=(1) memset\n0x4a10 0 30\n+4 * 2\ntotals: 32\n");
  EXPECT_THAT(costs.functions, UnorderedElementsAre(Pair("memset", 32)));
  EXPECT_THAT(costs.lines, testing::IsEmpty());
}

TEST_F(CallgrindCostsTest, EventsAreAddedUp) {
  const std::string text =
      "events: Ir D1mr D1mw\nfl=(1) x.cpp\nfn=(1) f\n3 9 4 1\n4 9 0 2\n5 9\n6 9 1\ntotals: 36 5 3\n";
  EXPECT_THAT(read(text, {"D1mr", "D1mw"}).lines,
              UnorderedElementsAre(Pair("x.cpp:3", 5), Pair("x.cpp:4", 2), Pair("x.cpp:6", 1)));
  EXPECT_THROW(read(text, {"D1mr", "DLmr"}), Error);
}

TEST_F(CallgrindCostsTest, WhatIsNoDumpIsAnErrorThatNamesTheLine) {
  EXPECT_THAT(refusal("events: Dr\ntotals: 1\n"), HasSubstr("has no event Ir"));
  EXPECT_THAT(refusal("events: Ir\nfn=(1) f\n3 1\n"), HasSubstr("cut short"));
  EXPECT_THAT(refusal("events: Ir\nfn=(1) f\n3x 1\ntotals: 1\n"), HasSubstr("out.1:3: \"3x 1\" is no line"));
  EXPECT_THAT(refusal("3 1\nevents: Ir\n"), HasSubstr("out.1:1"));
}

TEST_F(CallgrindCostsTest, TheLargestComeFirst) {
  const auto some = largest({{"a", 1}, {"b", 5}, {"c", 5}, {"d", 0}}, 2);
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0].at, "b");
  EXPECT_EQ(some[1].at, "c");
}

}  // namespace
}  // namespace uotbench
