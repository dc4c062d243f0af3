// A problem's files are the parent's: whatever a worker leaves behind harms no other, and none of the user's.
#include "harness/sweep/workers/problem_files.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

#include "harness/protocol/npy.hpp"
#include "harness/sweep/gate/arms.hpp"
#include "harness/sweep/tests/planned.hpp"
#include "harness/sweep/tests/scripted_worker.hpp"
#include "results/base/error.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

struct MadeFiles {
  MadeFiles()
      : group(plan_of(one(R"({"variants": ["uot/one_read"], "axes": {"M,N": [[12, 7]]}})")).groups.at(0)),
        files(pool(), group.family, group.problem, [this] { return folder.path(); }) {
    files.make_outputs();
  }
  fs::path in(const std::string& name) const { return folder / "in" / (name + ".npy"); }
  fs::path out(const std::string& name) const { return folder / "out" / (name + ".npy"); }
  std::string reason() {
    Json point = group.problem.json();
    return files
        .judge(
            {.variant = "uot/mine", .point = point, .outputs = {"plan"}, .iterations = 10, .tolerance = {}})
        .reason;
  }

  Folder folder;
  Group group;
  ProblemFiles files;
};

void change_first_byte_of_data(const fs::path& file) {
  fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
  std::fstream data(file, std::ios::in | std::ios::out | std::ios::binary);
  data.seekp(-1, std::ios::end);
  data.put('\x3f');
}

TEST(ProblemFiles, TellWhichInputWasChanged) {
  MadeFiles made;
  EXPECT_THAT(made.files.changed_input(), IsEmpty());
  change_first_byte_of_data(made.in("K"));
  EXPECT_EQ(made.files.changed_input(), "K");
  EXPECT_EQ(outcome_of([&] { made.files.watched("mine", [] {}); }),
            "failed: worker mine changed the input K, which all cases of the group share. Copy what is "
            "iterated on");
  EXPECT_EQ(outcome_of([&] { made.files.watched("other", [] {}); }), "ok") << "they were made anew";
}

TEST(ProblemFiles, AreMadeAnewWhateverElseWentWrong) {
  MadeFiles made;
  EXPECT_THAT(outcome_of([&] {
                made.files.watched("mine", [&] {
                  change_first_byte_of_data(made.in("K"));
                  throw WorkerFailure{Status::crashed, "gone"};
                });
              }),
              testing::StartsWith("failed: worker mine changed the input K"));
  EXPECT_EQ(outcome_of([&] {
              made.files.watched("mine", [] { throw WorkerFailure{Status::crashed, "gone"}; });
            }),
            "crashed: gone");
}

TEST(ProblemFiles, TellOfInputsThatAreGoneOrNew) {
  MadeFiles made;
  fs::permissions(made.folder / "in", fs::perms::owner_all);
  fs::remove(made.in("a"));
  EXPECT_EQ(made.files.changed_input(), "a");
  EXPECT_THROW(made.files.watched("mine", [] {}), WorkerFailure);
  fs::permissions(made.folder / "in", fs::perms::owner_all);
  std::ofstream(made.in("C")) << "mine";
  EXPECT_EQ(made.files.changed_input(), "C");
  fs::remove_all(made.folder / "in");
  EXPECT_EQ(made.files.changed_input(), "K");
  EXPECT_THROW(made.files.watched("mine", [] {}), WorkerFailure);
  EXPECT_THAT(made.files.changed_input(), IsEmpty());
}

TEST(ProblemFiles, TakeNoLinkForAnInput) {
  MadeFiles made;
  fs::permissions(made.folder / "in", fs::perms::owner_all);
  fs::copy_file(made.in("K"), made.folder / "copy.npy");
  fs::remove(made.in("K"));
  fs::create_symlink(made.folder / "copy.npy", made.in("K"));
  EXPECT_EQ(made.files.changed_input(), "K") << "it holds the same, until it does not";
}

TEST(ProblemFiles, AreReadableOnly) {
  MadeFiles made;
  for (const auto& entry : fs::directory_iterator(made.folder / "in"))
    EXPECT_EQ(entry.status().permissions() & fs::perms(0222), fs::perms::none) << entry.path();
  EXPECT_EQ(fs::status(made.folder / "in").permissions() & fs::perms(0222), fs::perms::none);
}

TEST(ProblemFiles, MakeOutputsInThePlaceOfAnything) {
  MadeFiles made;
  const fs::path victim = made.folder / "thesis.txt";
  std::ofstream(victim) << "mine";
  const auto left = [&](const std::function<void(const fs::path&)>& leave) {
    fs::remove_all(made.out("plan"));
    leave(made.out("plan"));
    EXPECT_THAT(made.reason(), testing::StartsWith("the output plan is no regular file any more"));
    made.files.make_outputs();
    EXPECT_EQ(NpyArray::open(made.out("plan")).shape(), (std::vector<std::size_t>{12, 7}));
  };
  left([&](const fs::path& path) { fs::create_directory(path); });
  left([&](const fs::path& path) { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); });
  left([&](const fs::path& path) { fs::create_symlink(victim, path); });
  left([&](const fs::path& path) { fs::create_symlink(path.filename(), path); });
  fs::remove_all(made.folder / "out");
  fs::create_directory_symlink(made.folder / "in", made.folder / "out");
  made.files.make_outputs();
  EXPECT_FALSE(fs::is_symlink(made.folder / "out"));
  EXPECT_THAT(made.files.changed_input(), IsEmpty()) << "removed with the link";
  std::ifstream text(victim);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(text), {}), "mine");
}

TEST(ProblemFiles, JudgeNoOutputThatTheFamilyLacks) {
  MadeFiles made;
  const auto judged = made.files.judge({.variant = "uot/mine",
                                        .point = made.group.problem,
                                        .outputs = {"plan", "../in/K"},
                                        .iterations = 10,
                                        .tolerance = {}});
  EXPECT_EQ(judged.reason, "names the output \"../in/K\"; outputs are plan, u, v");
  EXPECT_FALSE(judged.check);
}

TEST(ProblemFiles, AskAnotherOracleWhereOneWasKilled) {
  MadeFiles made;
  const pid_t oracle = pool().oracle().pid();
  ASSERT_GT(oracle, 1) << "kill() takes less for everybody";
  ASSERT_EQ(::kill(oracle, SIGKILL), 0);
  EXPECT_THAT(made.files.changed_input(), IsEmpty());
  EXPECT_THAT(made.reason(), testing::HasSubstr("untouched")) << "it judges";
}

// What the user limits is no outcome of a case: --resume runs it again. Both oracles are limited, the running
// one and the one that is started in its place.
TEST(ProblemFiles, ThatAreLargerThanTheUserAllowsAreNoOutcome) {
  MadeFiles made;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{100, before.rlim_max};
  ASSERT_EQ(::prlimit(pool().oracle().pid(), RLIMIT_FSIZE, &small, nullptr), 0);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string outcome = outcome_of([&] { made.files.make_outputs(); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_THAT(outcome, testing::StartsWith("interrupted: oracle: killed by SIGXFSZ"));
}

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
