// The width and colours of where text goes follow what the user set, and text is cut in whole characters.
#include "harness/host/facts/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

namespace uotbench {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

class TerminalSettings : public testing::Test {
 protected:
  TerminalSettings() {
    for (const char* name : {"COLUMNS", "NO_COLOR", "CLICOLOR_FORCE"}) ::unsetenv(name);
    ::setenv("TERM", "xterm", 1);
  }
  ~TerminalSettings() override {
    for (const char* name : {"COLUMNS", "NO_COLOR", "CLICOLOR_FORCE"}) ::unsetenv(name);
  }

  File file_{std::tmpfile()};
};

/// The terminal's end of a pseudo-terminal of 97 columns; `master_` keeps it open.
class RealTerminal : public TerminalSettings {
 protected:
  RealTerminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
    terminal_.reset(std::fopen(::ptsname(master_), "w"));
    const winsize size{.ws_row = 24, .ws_col = 97, .ws_xpixel = 0, .ws_ypixel = 0};
    ::ioctl(master_, TIOCSWINSZ, &size);
  }
  ~RealTerminal() override { ::close(master_); }

  int master_;
  File terminal_;
};

TEST_F(TerminalSettings, AFileHasNoWidthAndNoColours) {
  EXPECT_EQ(terminal_of(file_.get()).width, std::nullopt);
  EXPECT_FALSE(terminal_of(file_.get()).colour);
}

TEST_F(TerminalSettings, ColumnsWinsWhereItIsAWidth) {
  ::setenv("COLUMNS", "123", 1);
  EXPECT_EQ(terminal_of(file_.get()).width, 123u);
  for (const char* none : {"", "0", "19", "-80", "80x", "wide", "99999999999999999999999"}) {
    ::setenv("COLUMNS", none, 1);
    EXPECT_EQ(terminal_of(file_.get()).width, std::nullopt) << none;
  }
}

TEST_F(TerminalSettings, ColoursCanBeForcedAndRefused) {
  ::setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_TRUE(terminal_of(file_.get()).colour);
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(terminal_of(file_.get()).colour);
  ::setenv("NO_COLOR", "", 1);
  ::setenv("CLICOLOR_FORCE", "0", 1);
  EXPECT_FALSE(terminal_of(file_.get()).colour);
}

TEST_F(RealTerminal, HasItsWidthAndColours) {
  ASSERT_TRUE(terminal_) << "no pseudo-terminal can be had";
  EXPECT_EQ(terminal_of(terminal_.get()).width, 97u);
  EXPECT_TRUE(terminal_of(terminal_.get()).colour);
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(terminal_of(terminal_.get()).colour);
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(terminal_of(terminal_.get()).colour);
  ::setenv("COLUMNS", "60", 1);
  EXPECT_EQ(terminal_of(terminal_.get()).width, 60u);
}

TEST(Columns, AreCharacters) {
  EXPECT_EQ(columns_of("±1.0%"), 5u);
  EXPECT_EQ(columns_of(""), 0u);
  EXPECT_EQ(cut_to("a±b", 2), "a±");
  EXPECT_EQ(cut_to("a±b", 1), "a");
  EXPECT_EQ(cut_to("a±b", 0), "");
  EXPECT_EQ(cut_to("a±b", 9), "a±b");
}

}  // namespace
}  // namespace uotbench
