// The commands of uotbench claims on the pages of docs/ do what the pages show.
#include <sstream>

#include "tools/tests/printed.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Lines of a page that a reader types, without the comment after them.
std::vector<std::string> commands_on(const std::string& page, const std::string& start) {
  std::vector<std::string> commands;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("$ " + start)) continue;
    line = line.substr(2, line.find(" #") - 2);
    commands.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return commands;
}

/// Those that measure are run without --run, as they take minutes; the guide's own file is measured instead,
/// at small sizes.
TEST(ClaimsOnPages, DoWhatTheyShow) {
  const Folder folder;
  const std::string docs = std::string(UOTBENCH_SOURCE_DIR) + "/docs/";
  const std::string guide = text_of(docs + "guide/claims.md");
  const auto begin = guide.find("```json\n") + 8, end = guide.find("```", begin);
  std::string own = guide.substr(begin, end - begin);
  const std::string sizes = "[[1024, 1024], [2048, 2048]]";
  ASSERT_NE(own.find(sizes), std::string::npos) << own;
  own.replace(own.find(sizes), sizes.size(), "[[64, 64], [96, 64]]");
  write_text(folder / "my.json", own);
  write_text(folder / "table.csv", "method,time,iterations\nA,1,100\nB,2,100\n");
  // On a busy machine a time may fail its proof, which is not the question here.
  ASSERT_TRUE(in_some_attempt([&] {
    return uotbench(folder.path(), {"run", "--sweep", "single_thread.json", "--filter", "M:512/N:512/",
                                    "--rounds", "1", "--max-time", "10ms"})
               .code == 0;
  }));
  std::size_t commands = 0;
  for (const auto& entry : fs::recursive_directory_iterator(docs)) {
    if (entry.path().extension() != ".md") continue;
    for (std::string command : commands_on(text_of(entry.path()), "uotbench claims")) {
      ++commands;
      if (const auto at = command.find(" --run"); at != std::string::npos) command.erase(at);
      const Outcome outcome =
          Program({"sh", "-c", "PATH='" + bin + "':\"$PATH\"; " + command}, folder.path()).wait();
      EXPECT_EQ(outcome.code, 0) << entry.path() << ": " << command << "\n" << outcome.err;
      EXPECT_NE(outcome.out, "") << command;
    }
  }
  EXPECT_GE(commands, 8u);
  const Outcome measured = uotbench(folder.path(), {"claims", "my.json", "--run", "--strict"});
  EXPECT_THAT(measured.code, testing::AnyOf(0, 1)) << measured.err;  // which is faster is not the question
  EXPECT_THAT(measured.out, HasSubstr("t2-mean"));
  EXPECT_THAT(measured.out, Not(HasSubstr("not measured yet")));
}

}  // namespace
}  // namespace uotbench
