// The moving line never reaches the terminal's last column, is cut in whole characters, and says what is
// being done; plain lines hold everything.
#include "harness/sweep/run/progress.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/host/facts/terminal.hpp"

namespace uotbench {
namespace {

/// What is printed while `act` has a Progress of 3 cases of 4 steps.
template <class Act>
std::string printed(Progress::Style style, Act act) {
  std::FILE* file = std::tmpfile();
  Progress progress(file, style, 3, 4);
  act(progress);
  std::fflush(file);
  std::rewind(file);
  std::string text(10000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

std::string last_line(const std::string& text) { return text.substr(text.rfind("\033[K") + 3); }

const std::string long_id = "uot/größer/M:4096/N:4096/data:colors/threads:2@native-v4";

TEST(ProgressLine, FitsTheTerminal) {
  for (const int width : {20, 40, 60, 80, 200}) {
    ::setenv("COLUMNS", std::to_string(width).c_str(), 1);
    const std::string line =
        last_line(printed(Progress::Style::terminal, [](Progress& p) { p.doing(long_id, "round 2 of 3"); }));
    EXPECT_LT(columns_of(line), static_cast<std::size_t>(width)) << line;
    EXPECT_TRUE(line.starts_with("0/3  uot/")) << line;
    EXPECT_TRUE(width < 60 || line.ends_with("@native-v4  round 2 of 3")) << line;
    EXPECT_EQ(width >= 80, line.find(long_id) != std::string::npos) << line;
  }
  ::unsetenv("COLUMNS");
}

TEST(ProgressLine, ShowsBandwidthsWhileTheyAreMeasured) {
  Record record;
  record.id = "ceiling/read/N:1@w";
  record.time = Timing{};
  record.time->processes = {{.start = 0, .samples = {0.5, 0.5, 0.5}}};
  EXPECT_EQ(printed(Progress::Style::plain, [&](Progress& p) { p.finished(record); }),
            "[1/3] ceiling/read/N:1@w  500.0 ms\n");
  record.work = Work{.bytes_read = 20e9};
  EXPECT_EQ(printed(Progress::Style::plain, [&](Progress& p) { p.finished(record); }),
            "[1/3] ceiling/read/N:1@w  500.0 ms  40.0 GB/s\n");
  ::setenv("COLUMNS", "100", 1);
  const std::string line = last_line(printed(Progress::Style::terminal, [&](Progress& p) {
    p.finished(record);
    p.doing("ceiling/copy/N:1@w", "round 1 of 2");
  }));
  ::unsetenv("COLUMNS");
  EXPECT_EQ(line, "1/3  ceiling/copy/N:1@w  round 1 of 2 (the last: 40.0 GB/s)");
}

TEST(ProgressLine, IsOneLineWhateverAReasonHolds) {
  Record record;
  record.id = "uot/x/M:1/N:1@w";
  record.status = Status::failed;
  record.reason = "it said\n\033[31mred";
  EXPECT_EQ(printed(Progress::Style::plain, [&](Progress& p) { p.finished(record); }),
            "[1/3] uot/x/M:1/N:1@w  failed: it said\\n\\x1b[31mred\n");
}

TEST(ProgressLine, GoesOnWhereAnEarlierPartOfTheRunEnded) {
  std::FILE* file = std::tmpfile();
  Progress progress(file, Progress::Style::plain, 38, 4, 9);
  Record record;
  record.id = "uot/x/M:1/N:1@w";
  progress.finished(record);
  std::rewind(file);
  std::string text(1000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  EXPECT_EQ(text, "[10/38] uot/x/M:1/N:1@w  ok\n");
}

// What a worker prints is passed on; the terminal is not its.
TEST(ProgressLine, PassesOnWhatAWorkerPrintsAndNoMore) {
  for (const auto style : {Progress::Style::plain, Progress::Style::terminal}) {
    const std::string text =
        printed(style, [](Progress& p) { p.text("uot/x/M:1@w", "\ta \x1b]0;title\x07 \u009b2J \u202e"); });
    EXPECT_NE(text.find("uot/x/M:1@w: \ta \\x1b]0;title\\x07 \\u009b2J \\u202e\n"), std::string::npos)
        << text;
  }
  EXPECT_EQ(printed(Progress::Style::plain, [](Progress& p) { p.text("uot/x\x1b@w", "a"); }),
            "uot/x\\x1b@w: a\n");
}

}  // namespace
}  // namespace uotbench
