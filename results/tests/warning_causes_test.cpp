// Hundreds of warnings about times are a few lines, one a cause.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "results/base/text.hpp"
#include "results/record/timing_warnings.hpp"
#include "results/tests/made_header.hpp"
#include "results/view/view.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;

Run run_that_warned(const std::vector<std::vector<std::string>>& warnings) {
  Run run{.path = "x.jsonl",
          .header = made_header({{"kind", "run"}}),
          .records = {},
          .resumes = {},
          .end = {},
          .unfinished = {},
          .warnings = {}};
  for (const auto& its : warnings) {
    Record record;
    record.variant = "uot/a";
    record.worker = "w";
    record.point = {{"M", run.records.size()}};
    record.id = fmt::format("uot/a/M:{}@w", run.records.size());
    record.time = Timing{};
    for (int i = 0; i < 3; ++i)
      record.time->processes.push_back({.start = 0, .first_sample = {}, .arm = {}, .samples = {1, 1}});
    record.time->warnings = its;
    run.records.push_back(record);
  }
  return run;
}

std::vector<std::string> warned(const std::vector<std::vector<std::string>>& warnings) {
  const Run run = run_that_warned(warnings);
  return view_of(run).warnings;
}

TEST(WarningCauses, ABusyMachineIsOneLine) {
  std::vector<std::vector<std::string>> warnings;
  for (int i = 0; i < 36; ++i) warnings.push_back({busy_warning(1, .9 - .01 * i), busy_warning(2, .9)});
  warnings.resize(38);
  EXPECT_THAT(warned(warnings),
              ElementsAre("the machine was busy: 36 of 38 cases had their CPU for less than 95% of the time, "
                          "one for 55%"));
  EXPECT_THAT(warned({{}, {busy_warning(2, .5)}}),
              ElementsAre("uot/a/M:1@w: round 2: had its CPU only 50% of the time"));
}

TEST(WarningCauses, TextsThatDifferInNumbersAreOneCause) {
  EXPECT_THAT(warned({{"round 1: clock at 800 MHz", "round 2: clock at 900 MHz"},
                      {"round 3: clock at 850 MHz"},
                      {"round 1: a page was lost"},
                      {}}),
              ElementsAre("2 of 4 cases: round 1: clock at 800 MHz (uot/a/M:0@w, …)",
                          "uot/a/M:2@w: round 1: a page was lost"));
}

TEST(BusyWarning, IsReadBack) {
  EXPECT_EQ(busy_share(busy_warning(3, 0.83)), 0.83);
  EXPECT_EQ(busy_warning(3, 0.83), "round 3: had its CPU only 83% of the time");
  for (const char* other : {"", "round 1: had its CPU only", "had its CPU only x% of the time"})
    EXPECT_EQ(busy_share(other), std::nullopt) << other;
}

// Which of a case's warnings are doubts is decided where they are read, for all who show them.
TEST(DoubtfulTimes, AreKeptApartFromOtherWarnings) {
  const std::string doubt = "round 2: " + doubtful_times_warning("reported 1 ms, got 2 ms");
  EXPECT_EQ(doubt, "round 2: its times are doubtful: reported 1 ms, got 2 ms");
  const uotbench::Run run = run_that_warned({{busy_warning(1, .5), doubt}, {"round 1: a page was lost"}});
  const RunView view = view_of(run);
  std::vector<std::vector<std::string>> doubts;
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) doubts.push_back(member.doubts);
  EXPECT_THAT(doubts, ElementsAre(ElementsAre(doubt), testing::IsEmpty()));
}

TEST(CutMiddle, KeepsBothEnds) {
  EXPECT_EQ(cut_middle("short", 10), "short");
  EXPECT_EQ(cut_middle("abcdefghijklmnop", 6), "abc…nop");
  EXPECT_EQ(cut_middle("ééééé", 4), "é…é") << "whole characters";
  EXPECT_EQ(cut_long_words("uot  M:8 path:/home/somebody/pictures/meadow.npy", 20),
            "uot  M:8 path:/home…meadow.npy");
}

}  // namespace
}  // namespace uotbench
