// A person who watches a run sees what workers print, but nobody's terminal, log or disk is filled by it.
#include "harness/sweep/workers/worker_text.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::Lt;
using testing::SizeIs;

struct HeardText {
  std::vector<std::string> lines;
  OnText take() {
    return [this](std::string_view line) { lines.emplace_back(line); };
  }
};

TEST(WorkerText, PutsLinesTogetherWhereverTheyAreCut) {
  const std::string bytes = "one\n\ntwo\nthree";
  for (std::size_t at = 0; at <= bytes.size(); ++at) {
    HeardText heard;
    WorkerText text(heard.take());
    text.feed(std::string_view(bytes).substr(0, at));
    text.feed(std::string_view(bytes).substr(at));
    text.end_line();
    EXPECT_THAT(heard.lines, ElementsAre("one", "two", "three")) << "cut at " << at;
    EXPECT_EQ(text.last(), "three");
  }
}

TEST(WorkerText, ShortensLongLines) {
  HeardText heard;
  WorkerText text(heard.take(), {.in_a_line = 7});
  for (const char* part : {"äöü", "äöü\nshort\n", "exactly\n"}) text.feed(part);
  text.line("beyond it");
  EXPECT_THAT(heard.lines, ElementsAre("äöü…", "short", "exactly", "beyond …"));
  EXPECT_EQ(text.last(), "beyond it");
}

TEST(WorkerText, SaysOnceThatTheRestIsNotShown) {
  HeardText heard;
  WorkerText text(heard.take(), {.in_all = 10});
  for (const char* line : {"1234", "5678", "9", "0"}) text.line(line);
  EXPECT_THAT(heard.lines,
              ElementsAre("1234", "5678", "(this process printed more than 10 B: the rest is not shown)"));
  EXPECT_EQ(text.last(), "0") << "it may be what it dies of";
}

// What a launcher says of its processes comes after it, and tells less.
TEST(WorkerText, RemembersAWorkersOwnWords) {
  WorkerText text({});
  for (const char* line : {"mpirun: rank 1 was killed", "-----"}) text.line(line);
  EXPECT_EQ(text.last(), "mpirun: rank 1 was killed");
  EXPECT_FALSE(text.said_own());
  for (const char* line : {"uotbench-worker-mpi: rank 1 of 2: out of memory", "-----", "Exit code: 1"})
    text.line(line);
  EXPECT_EQ(text.last(), "uotbench-worker-mpi: rank 1 of 2: out of memory");
  EXPECT_TRUE(text.said_own());
}

TEST(WorkerText, PassesAgainWhatComesInTheNextSecond) {
  HeardText heard;
  WorkerText text(heard.take(), {.in_a_second = 6});
  const auto start = std::chrono::steady_clock::now();
  const auto late = start + std::chrono::seconds(60);
  std::size_t said = 0;
  while (heard.lines.size() < 4 && std::chrono::steady_clock::now() < late) {
    text.line("12345");
    ++said;
  }
  EXPECT_THAT(
      heard.lines,
      ElementsAre("12345", "(this process prints more than 6 B a second: what is above that is not shown)",
                  "12345", "12345"));
  EXPECT_GT(said, 4u) << "nothing was left out";
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

// Where a worker crashed is told by the innermost line of a kernel.

TEST(PrintedFrames, AreReadOnlyWhereTheyAreFrames) {
  const auto frame = printed_frame("uotbench-worker-v3: frame /opt/a+b/uotbench-worker-v3+0x12ab");
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->file, "/opt/a+b/uotbench-worker-v3");
  EXPECT_EQ(frame->offset, "0x12ab");
  for (const char* other : {"uotbench-worker-v3: out of memory", "uotbench-worker-v3: frame +0x1",
                            "frame /a+0x1", "uotbench-worker-v3: frame /a+0x",
                            "uotbench-worker-v3: frame /a+0x1; reboot", "uotbench-worker-v3: frame /a"})
    EXPECT_FALSE(printed_frame(other)) << other;
}

TEST(PrintedFrames, AreKeptAndNotPassedOn) {
  std::vector<std::string> heard;
  WorkerText text([&](std::string_view line) { heard.emplace_back(line); });
  text.feed("why\nuotbench-worker-v3: frame /a+0x1\nuotbench-worker-v3: frame /a+0x2\n");
  EXPECT_THAT(heard, ElementsAre("why"));
  EXPECT_EQ(text.last(), "why");
  ASSERT_EQ(text.frames().size(), 2u);
  EXPECT_EQ(text.frames()[1].offset, "0x2");
}

TEST(PlaceOfCrash, IsTheInnermostLineThatIsNeitherTheSystemsNorTheHarnesses) {
  const CallFrame raise{"raise", "nptl/raise.c:44", true},
      vector{"std::vector<float>::at", "/usr/include/c++/12/bits/stl_vector.h:1154"},
      kernel{"uot::Mine<float>::iterate", "kernels/uot/mine.cpp:31"},
      harness{"Instance::timed", "harness/worker/typed_variant.hpp:90"};
  EXPECT_EQ(text_of(*place_of_crash({raise, vector, kernel, harness})),
            "uot::Mine<float>::iterate (kernels/uot/mine.cpp:31)");
  EXPECT_EQ(text_of(*place_of_crash({raise, {"uot::Mine<float>::iterate", ""}, {"main", ""}})),
            "uot::Mine<float>::iterate")
      << "without lines, the innermost function in a namespace";
  EXPECT_FALSE(place_of_crash({}));
  EXPECT_FALSE(place_of_crash({raise}));
}

TEST(FramesFrom, AFileThatIsNotThereAreNone) {
  EXPECT_TRUE(frames_from({{"/no/such/worker", "0x1"}, {"/no such $(worker)", "0x1"}}).empty());
}

}  // namespace
}  // namespace uotbench
