// A worker that cannot count, counted from outside: here by a script that leaves dumps as callgrind does.
#include "harness/worker/counters/callgrind_outside.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

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
