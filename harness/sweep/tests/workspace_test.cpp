#include "harness/sweep/workers/workspace.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>

#include "harness/sweep/gate/arms.hpp"
#include "results/base/error.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

/// TMPDIR is a folder of the test's own.
class WorkspaceTest : public testing::Test {
 protected:
  WorkspaceTest() {
    if (const char* value = std::getenv("TMPDIR")) before_ = value;
    ::setenv("TMPDIR", tmp.path().c_str(), 1);
  }
  ~WorkspaceTest() override { before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR"); }

  Folder tmp;

 private:
  std::optional<std::string> before_;
};

TEST_F(WorkspaceTest, GivesAnEmptyFolderForInputsAndOutputsInSharedMemory) {
  Workspace workspace;
  const auto folder = workspace.fresh(1000);
  EXPECT_EQ(folder.parent_path(), "/dev/shm");
  EXPECT_THAT(names_in(folder / "in"), IsEmpty());
  EXPECT_THAT(names_in(folder / "out"), IsEmpty());
}

// A group's arrays go before the next group's come: memory holds one group.
TEST_F(WorkspaceTest, DropsTheLastGroupsArrays) {
  Workspace workspace;
  const auto folder = workspace.fresh(1000);
  std::ofstream(folder / "in" / "K.npy") << "x";
  EXPECT_EQ(workspace.fresh(1000), folder);
  EXPECT_THAT(names_in(folder / "in"), IsEmpty());
}

// A worker may remove the folder. The folder made in its place has a lock again: no other run takes it away.
TEST_F(WorkspaceTest, LocksTheFolderAgainThatSomebodyRemoved) {
  Workspace workspace;
  const auto folder = workspace.fresh(1000);
  fs::remove_all(folder);
  EXPECT_EQ(workspace.fresh(1000), folder);
  { Workspace of_another_run; }
  EXPECT_TRUE(fs::exists(folder / "in"));

  fs::remove_all(folder);
  fs::create_directories(folder / "in");  // the worker, or the oracle, puts a folder of its own there
  EXPECT_EQ(workspace.fresh(1000), folder);
  { Workspace of_another_run; }
  EXPECT_TRUE(fs::exists(folder / "in"));
}

TEST_F(WorkspaceTest, LeavesNothingBehind) {
  fs::path folder;
  {
    Workspace workspace;
    folder = workspace.fresh(1000);
    std::ofstream(folder / "in" / "K.npy") << "x";
    EXPECT_THAT(names_in(tmp.path()), SizeIs(1));
  }
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_THAT(names_in(tmp.path()), IsEmpty());
}

// Two runs at a time share neither arrays nor cleaning.
TEST_F(WorkspaceTest, LeavesFoldersInUseAlone) {
  Workspace one;
  const auto folder = one.fresh(1000);
  std::ofstream(folder / "in" / "K.npy") << "x";
  {
    Workspace other;
    EXPECT_NE(other.fresh(1000), folder);
  }
  EXPECT_TRUE(fs::exists(folder / "in" / "K.npy"));
}

// A killed run cannot clean up; the next one does, or shared memory fills.
TEST_F(WorkspaceTest, RemovesWhatAKilledRunLeft) {
  tmp.write("uotbench-arrays-a1B2c3/in/K.npy", "x");
  Workspace workspace;
  EXPECT_FALSE(fs::exists(tmp.path() / "uotbench-arrays-a1B2c3"));
}

// TMPDIR is everybody's: what only begins like ours is somebody's work.
TEST_F(WorkspaceTest, RemovesNothingElse) {
  const std::vector<std::string> others{"uotbench-results/run.jsonl", "uotbench/main.cpp",
                                        "uotbench-a1B2c3/x", "uotbench-arrays-of-mine/x", "other/x"};
  for (const auto& name : others) tmp.write(name, "x");
  { Workspace workspace; }
  for (const auto& name : others) EXPECT_TRUE(fs::exists(tmp.path() / name)) << name;
}

// A killed gate's copies of programs are as large as a build; the next gate takes them away, and no arrays.
TEST_F(WorkspaceTest, StagedProgramsOfAKilledGateGoWithTheNext) {
  tmp.write("uotbench-programs-a1B2c3/native/w", "x");
  const StagedPrograms in_use;
  tmp.write("uotbench-arrays-a1B2c3/in/K.npy", "x");
  EXPECT_FALSE(fs::exists(tmp / "uotbench-programs-a1B2c3"));
  { const StagedPrograms another; }
  EXPECT_THAT(names_in(tmp.path()), SizeIs(2)) << "the one in use, and the arrays";
}

// What shared memory cannot hold goes to TMPDIR; what neither holds is an error with all three numbers.
TEST_F(WorkspaceTest, SaysWhatIsNeededAndWhatThereIs) {
  Workspace workspace;
  try {
    workspace.fresh(1e18);
    FAIL() << "an exabyte fits";
  } catch (const Error& error) {
    const std::string disk = "; " + tmp.path().string() + " has ";
    EXPECT_THAT(
        error.what(),
        StartsWith("the arrays need 909494.7 TiB, and 1.0 MiB for headers and folders; /dev/shm has "));
    EXPECT_THAT(error.what(), testing::HasSubstr(disk));
  }
}

// A file system may have room and no inodes: a place that takes no folder is one without room.
TEST_F(WorkspaceTest, WithoutInodesIsWithoutRoom) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr int no_namespace = 77, wrong = 1;
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
      ::_exit(no_namespace);
    // Of a root folder, and of the workspace's own.
    for (const char* place : {"/dev/shm", tmp.path().c_str()})
      if (::mount("none", place, "tmpfs", 0, "nr_inodes=2,size=16m") != 0) ::_exit(no_namespace);
    try {
      Workspace workspace;
      workspace.fresh(1000);
    } catch (const Error& error) {
      ::_exit(std::string(error.what()).find("no folder can be made") == std::string::npos ? wrong : 0);
    } catch (...) {
    }
    ::_exit(wrong);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no mounts of one's own here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace uotbench
