// Only regular files are read whole, and of a writer that is killed nothing is left.
#include "results/base/whole_file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "results/base/error.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

namespace fs = std::filesystem;

std::string refusal_of(const fs::path& path) {
  try {
    return "read: " + read_whole(path).substr(0, 20);
  } catch (const UsageError& error) {
    return error.what();
  }
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

/// Ends a process in the middle of writing: SIGXFSZ at a file's tenth byte.
int killed_by(const fs::path& file) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{10, 10};
    ::signal(SIGXFSZ, SIG_DFL);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    write_whole(file, std::string(100, 'x'));
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(ReadWhole, TakesRegularFilesAndLinksToThem) {
  const Folder folder;
  const std::string text = std::string(200'000, 'a') + '\0' + "end";
  const fs::path file = folder.write("a.txt", text);
  fs::create_symlink(file, folder.path() / "link");
  EXPECT_EQ(read_whole(file), text);
  EXPECT_EQ(read_whole(folder.path() / "link"), text);
}

TEST(ReadWhole, RefusesWhatNeverEndsOrWaits) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder.path() / "endless");
  fs::create_symlink("nowhere", folder.path() / "dangling");
  const auto expect = [&](const std::string& name, const std::string& why) {
    EXPECT_EQ(refusal_of(folder.path() / name), (folder.path() / name).string() + ": " + why);
  };
  expect("pipe", "expected a regular file, got a pipe");
  expect("endless", "expected a regular file, got a device");
  expect("", "expected a regular file, got a folder");
  expect("dangling", "no such file");
}

TEST(WriteWhole, LeavesNothingOfAWriterThatIsKilled) {
  const Folder folder;
  EXPECT_EQ(killed_by(folder.path() / "new"), SIGXFSZ);
  EXPECT_THAT(names_in(folder.path()), ElementsAre());
  folder.write("old", "as it was");
  EXPECT_EQ(killed_by(folder.path() / "old"), SIGXFSZ);
  EXPECT_THAT(names_in(folder.path()), ElementsAre("old"));
  EXPECT_EQ(read_whole(folder.path() / "old"), "as it was");
}

TEST(WriteWhole, TakesTheOldFilesPlaceAndFollowsALink) {
  const Folder folder;
  const fs::path file = folder.write("old", "as it was");
  fs::create_symlink("old", folder.path() / "link");
  write_whole(folder.path() / "link", "new");
  EXPECT_EQ(read_whole(file), "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  write_whole(folder.path() / "a/b/c", "deep");
  EXPECT_EQ(read_whole(folder.path() / "a/b/c"), "deep");
  EXPECT_THAT(names_in(folder.path()), ElementsAre("a", "link", "old"));
}

TEST(WriteWhole, SaysWhyAFolderCannotBeMade) {
  const Folder folder;
  folder.write("file", "no folder");
  try {
    write_whole(folder.path() / "file/sub/x", "");
    ADD_FAILURE() << "it was written";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the folder " + (folder.path() / "file/sub").string() +
                                        " cannot be made: Not a directory"));
  }
}

}  // namespace
}  // namespace uotbench
