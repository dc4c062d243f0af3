// What is read whole is a regular file: a pipe without a writer is refused in one line, and not waited for.
#include <sys/stat.h>

#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

TEST(Pipes, AreRefusedWhereAFileIsReadWhole) {
  const Folder folder;
  const std::string golden_times = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/first/times.jsonl";
  for (const char* name : {"pipe.jsonl", "pipe.json", "pipe.csv"})
    ASSERT_EQ(::mkfifo((folder.path() / name).c_str(), 0600), 0);
  const std::vector<std::vector<std::string>> commands{
      {"merge", "pipe.jsonl", golden_run, "-o", "merged.jsonl"},
      {"figure", "--spec", "pipe.json"},
      {"claims", "--lint", "pipe.csv"},
      {"pack", golden_times, "--figures", "pipe.json", "-o", "a.zip"},
  };
  for (const auto& command : commands) {
    const Outcome outcome = uotbench(folder.path(), command);
    EXPECT_EQ(outcome.code, 2) << command[0];
    EXPECT_THAT(outcome.err, testing::HasSubstr(": expected a regular file, got a pipe")) << command[0];
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
  // One of many is left out, and the others are added.
  fs::create_directory(folder / "runs");
  fs::rename(folder / "pipe.jsonl", folder / "runs/a.jsonl");
  fs::copy_file(golden_run, folder / "runs/b.jsonl");
  const Outcome added = uotbench(folder.path(), {"history", "add", "runs", "--commit", "0123456789abcdef"});
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_THAT(added.err, testing::HasSubstr("a.jsonl: expected a regular file, got a pipe"));
  EXPECT_THAT(added.out, testing::StartsWith("added: "));
}

}  // namespace
}  // namespace uotbench
