// What a trace is told of a launch, and how its faults end one.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "harness/simt/executor/executor.hpp"
#include "harness/simt/runtime/runtime_api.hpp"
#include "harness/simt/tests/kernels/kernels.hpp"

namespace uotbench::simt::tests {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Writes down what it is told; stops a thread at an atomic, or an interval at its end, when it is to.
class Diary : public Observer {
 public:
  Diary() { set_observer(this); }
  ~Diary() override { set_observer(nullptr); }

  std::vector<std::string> lines;
  std::vector<std::uint64_t> places;
  trace::LaunchMemory memory;
  std::size_t arrays = 0, bytes = 0;
  bool stop_at_access = false, stop_at_interval = false;
  trace::Fault what;

  void add_global(const void*, std::size_t size) override {
    ++arrays;
    bytes += size;
  }
  void remove_global(const void*) override { --arrays; }
  void begin_launch(const std::string& kernel, int threads, const trace::LaunchMemory& of_launch) override {
    lines.push_back(fmt::format("launch {} of {}", kernel, threads));
    memory = of_launch;
  }
  void begin_block() override { lines.push_back("block"); }
  void run(int thread) override { lines.push_back(fmt::format("run {}", thread)); }
  void rest() override { lines.push_back("rest"); }
  void meet(std::uint64_t place) override {
    lines.push_back("meet");
    places.push_back(place);
  }
  void met(int warp, std::uint32_t mask) override {
    lines.push_back(fmt::format("met {} {:#x}", warp, mask));
  }
  bool end_interval() override {
    lines.push_back("interval");
    return !stop_at_interval;
  }
  void access(const void*, unsigned size, trace::AccessKind kind, std::uint64_t place) override {
    constexpr const char* names[] = {"reads", "writes", "adds"};
    lines.push_back(fmt::format("{} {}", names[static_cast<int>(kind)], size));
    places.push_back(place);
    if (stop_at_access) {
      what = {"does what none may", place, {running_thread()}, 0};
      stop_thread();
    }
  }
  void end_launch() override { lines.push_back("end"); }
  const trace::Fault& fault() const override { return what; }

 private:
  int running_thread() const {
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
      if (line->starts_with("run ")) return std::stoi(line->substr(4));
    return -1;
  }
};

TEST(Observers, AreToldOfThreadsBarriersAndBlocks) {
  Diary diary;
  EXPECT_THAT(reversed_blocks({1, 2, 3, 4}, 2), ElementsAre(2, 1, 4, 3));
  std::vector<std::string> expected{"launch reverse of 2"};
  for (int block = 0; block < 2; ++block)
    for (const char* line : {"block", "run 0", "meet", "rest", "run 1", "meet", "rest", "interval", "run 0",
                             "rest", "run 1", "rest", "interval"})
      expected.push_back(line);
  expected.push_back("end");
  EXPECT_EQ(diary.lines, expected);
  EXPECT_THAT(diary.places, Each(diary.places.front())) << "one barrier";
}

TEST(Observers, AreToldOfCollectives) {
  Diary diary;
  warp_maxima({3, 1});
  EXPECT_THAT(diary.lines, testing::IsSupersetOf({"met 0 0x3", "met 0 0x3", "met 0 0x3"}))
      << "two lanes, three times";
}

TEST(Observers, AreToldOfAtomicsAndCopies) {
  Diary diary;
  atomics();
  EXPECT_EQ(std::count(diary.lines.begin(), diary.lines.end(), "adds 4"), 12);
  diary.lines.clear();
  neighbour_sums(Floats(64, 1.f));
  EXPECT_EQ(diary.lines[3], "reads 4");
  EXPECT_EQ(diary.lines[4], "writes 4") << "when it is waited for";
}

TEST(Observers, KnowWhereALaunchHasItsMemory) {
  Diary diary;
  reversed_blocks(Floats(64, 1.f), 64);
  const trace::LaunchMemory& memory = diary.memory;
  EXPECT_EQ(memory.dynamic_shared.end - memory.dynamic_shared.begin, 256u);
  EXPECT_EQ(memory.dynamic_shared.begin % 128, 0u);
  EXPECT_EQ(memory.parameters.end - memory.parameters.begin, 2 * sizeof(void*));
  static thread_local int shared = 0;
  static int variable = 1;
  const auto holds = [](const std::vector<trace::Span>& spans, const void* at) {
    return std::any_of(spans.begin(), spans.end(), [&](const trace::Span& span) {
      return span.holds(reinterpret_cast<std::uintptr_t>(at));
    });
  };
  EXPECT_TRUE(holds(memory.static_shared, &shared));
  EXPECT_TRUE(holds(memory.variables, &variable));
  EXPECT_FALSE(holds(memory.variables, reinterpret_cast<const void*>(memory.constants.begin)));
  EXPECT_EQ(memory.constants.end - memory.constants.begin, 3 * sizeof(float));
  const int local = 0;
  EXPECT_FALSE(memory.stacks.holds(reinterpret_cast<std::uintptr_t>(&local)));
  EXPECT_GE(memory.stacks.end - memory.stacks.begin, 64 * 65536u);
}

TEST(Observers, AreToldOfArraysThatAreThereAndThatComeAndGo) {
  Diary diary;
  EXPECT_EQ(diary.arrays, 0u);
  reversed_blocks(Floats(64, 1.f), 64);
  EXPECT_EQ(diary.bytes, 256u);
  EXPECT_EQ(diary.arrays, 0u) << "it is gone";
}

TEST(Observers, EndALaunchWithAFault) {
  Diary diary;
  diary.stop_at_access = true;
  EXPECT_THAT([] { order_of_threads(2, 2); },
              ThrowsMessage<KernelError>(
                  testing::MatchesRegex("kernel note_order, harness/simt/tests/kernels/good.cu:[0-9]+, block "
                                        "\\(0,0,0\\), thread \\(0,0,0\\) "
                                        "\\(warp 0, lane 0\\): does what none may")));
  EXPECT_EQ(diary.lines.back(), "end");
  diary.stop_at_access = false;
  diary.stop_at_interval = true;
  const auto race = [] { transposed(Floats(64, 1.f), 8, 8); };
  diary.what = {"all is wrong", 0, {0, 1, 33}, 0};
  EXPECT_THAT(race, ThrowsMessage<KernelError>(
                        "kernel transpose<16>, block (0,0,0), 3 threads from (0,0,0) to (1,2,0) "
                        "(warps 0-1): all is wrong"));
  diary.what = {"a race", 0, {33, 1}, diary.places.front()};
  EXPECT_THAT(
      race, ThrowsMessage<KernelError>(testing::MatchesRegex(
                "kernel transpose<16>, block \\(0,0,0\\), thread \\(1,2,0\\) \\(warp 1, lane 1\\) and thread "
                "\\(1,0,0\\) \\(warp 0, lane 1\\): a race; the other one is in "
                "harness/simt/tests/kernels/good.cu:[0-9]+")));
  EXPECT_EQ(diary.lines.back(), "end");
  diary.stop_at_interval = false;
  EXPECT_THAT(reversed_blocks({1, 2}, 2), ElementsAre(2, 1)) << "the next launch";
}

}  // namespace
}  // namespace uotbench::simt::tests
