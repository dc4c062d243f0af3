#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/worker/counters/callgrind_source.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
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

namespace fs = std::filesystem;

class CallgrindDumpTest : public testing::Test {
 protected:
  CallgrindDump read(const std::string& text) {
    std::ofstream(folder_ / "out.1") << text;
    return read_callgrind_dump(folder_ / "out.1");
  }
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  const Folder own_;
  const fs::path folder_ = own_.path();
};

TEST_F(CallgrindDumpTest, HasTotalsByEventAndCachesByName) {
  const CallgrindDump dump = read(
      "# callgrind format\ndesc: D1 cache: 32768 B, 64 B, 8-way associative\n"
      "desc: Trigger: Client Request\nevents: Ir Dr Dw\nsummary: 9 9 9\nfn=(0) main\n3 10 4\n\ntotals: 10 "
      "4\n");
  EXPECT_EQ(dump.totals.at("Ir"), 10);
  EXPECT_EQ(dump.totals.at("Dr"), 4);
  EXPECT_EQ(dump.totals.at("Dw"), 0);  // zeros at the end are left out
  EXPECT_EQ(dump.caches.at("D1"), "32768 B, 64 B, 8-way associative");
  EXPECT_EQ(dump.caches.size(), 1u);
}

TEST_F(CallgrindDumpTest, CutShortOrMissingIsAnErrorNotZero) {
  EXPECT_THAT(refusal("events: Ir Dr\n3 10 4\n"), HasSubstr("cut short: no line \"totals:\""));
  EXPECT_THAT(refusal(""), HasSubstr("cut short: no line \"events:\""));
  EXPECT_THROW(read_callgrind_dump(folder_ / "nowhere"), Error);
}

TEST(CallgrindSource, IsThereOnlyUnderValgrind) { EXPECT_EQ(callgrind_source(), nullptr); }

// A worker that cannot count, counted from outside: here by a script that leaves dumps as callgrind does.

// A start of 1000 instructions, 7 an iteration; two processes, of which one leaves the same each time.
constexpr const char* script = R"(import json, sys
def send(**message):
    sys.stdout.write('\x1e' + json.dumps(message) + '\n')
    sys.stdout.flush()
def dump(name, instructions):
    with open(sys.argv[1] + '.' + name, 'w') as file:
        file.write(f'events: Ir D1mr\ntotals: {instructions} {40 - instructions // 1000}\n')
send(type='hello', protocol=1, worker='mine')
done = 0
for line in sys.stdin:
    request = json.loads(line.lstrip('\x1e'))
    if request['type'] == 'quit':
        break
    if 'count' in request or request['steps'] != ['verify']:
        send(type='error', message='asked to count')
    elif request['point'].get('broken'):
        send(type='error', message='it is broken')
    else:
        done = request['iterations']
        send(type='progress')
        send(type='record', case=request['case'], outputs=[])
dump('1', 1000 + 7 * done)
dump('2', 500)
)";

class CallgrindOutsideTest : public testing::Test {
 protected:
  CallgrindOutsideTest() {
    std::string name = (fs::temp_directory_path() / "callgrind-test-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    std::ofstream(folder_ / "worker.py") << script;
    std::ofstream(folder_ / "out.9") << "left by another";
    how_ = {{"python3", "-IS", (folder_ / "worker.py").string(), (folder_ / "out").string()},
            folder_ / "out"};
  }
  ~CallgrindOutsideTest() override { fs::remove_all(folder_); }

  EventCounts counts(const Point& point) const {
    return *reply_from_outside(
                how_, {.id = "mine",
                       .point = point,
                       .step = run_step::Count{.source = "callgrind", .events = {"Ir", "D1mr", "Bc"}},
                       .iterations = 10})
                .counts;
  }
  std::string refusal(const Point& point) const {
    try {
      counts(point);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
  CallgrindOutside how_;
};

TEST_F(CallgrindOutsideTest, CountsWhatMoreIterationsCost) {
  EventCounts found = counts({});
  EXPECT_EQ(found["Ir"].value, 7) << "neither the start nor the other process";
  EXPECT_TRUE(found["Ir"].simulated);
  EXPECT_THAT(found["Ir"].note, HasSubstr("20 iterations less 10, over 10"));
  EXPECT_FALSE(found["Bc"].value);
  EXPECT_EQ(found["Bc"].reason, "callgrind counts no \"Bc\"");
}

TEST_F(CallgrindOutsideTest, SaysWhatItCannotCount) {
  EXPECT_EQ(refusal(Point{{"threads", 2}}), "callgrind simulates one core: threads must be 1");
  EXPECT_THAT(refusal(Point{{"stop", "change"}}), HasSubstr("these solves choose theirs themselves"));
  EXPECT_THAT(refusal(Point{{"broken", "yes"}}), HasSubstr("it is broken"));
  how_.command = {"true"};
  EXPECT_EQ(refusal({}), "under callgrind the worker ended before its hello");
}

TEST(CallgrindDifference, IsNoCountWhereNoiseIsLarger) {
  const CallgrindDump once{{{"D1mr", 50}, {"Ir", 100}, {"LLm", 3}}, {}},
      twice{{{"D1mr", 47}, {"Ir", 150}, {"LLm", 3}}, {}};
  EventCounts counts = counts_of_difference(once, twice, {"D1mr", "Ir", "LLm", "LLleft"}, 10);
  EXPECT_FALSE(counts["D1mr"].value);
  EXPECT_THAT(counts["D1mr"].reason,
              HasSubstr("lost in what differs from process to process: 50 in 10 iterations, 47 in 20"));
  EXPECT_EQ(counts["Ir"].value, 5);
  EXPECT_EQ(counts["LLm"].value, 0);
  EXPECT_EQ(counts["LLleft"].value, 0) << "as much is left after more";
}

}  // namespace
}  // namespace uotbench
