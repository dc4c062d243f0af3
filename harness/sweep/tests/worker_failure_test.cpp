// Where a worker crashed is told by the innermost line of a kernel.
#include "harness/sweep/workers/worker_failure.hpp"

#include <gmock/gmock.h>

#include "harness/sweep/workers/worker_text.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;

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
