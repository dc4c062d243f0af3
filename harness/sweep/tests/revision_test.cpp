// A revision's files are what git has of them, and asking changes nothing in the repository.
#include "harness/sweep/revisions/revision.hpp"

#include <gmock/gmock.h>

#include "harness/protocol/tests/refusal.hpp"
#include "harness/sweep/tests/made_repository.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

namespace fs = std::filesystem;

class RevisionTest : public testing::Test {
 protected:
  RevisionTest() {
    made_.write("a.txt", "first\n");
    made_.write("inner/b.sh", "#!/bin/sh\n");
    made_.sh("chmod +x inner/b.sh");
    first_ = made_.commit("First");
    made_.write("a.txt", "second\n");
    second_ = made_.commit("Second");
  }
  /// What a file holds of a revision that is checked out.
  std::string file_of(const Repository& repository, const Revision& revision, const std::string& name) {
    const fs::path folder = made_.beside("checkout");
    fs::remove_all(folder);
    fs::create_directories(folder);
    repository.check_out(revision, folder);
    return read_text(folder / name).value_or("none");
  }

  MadeRepository made_;
  std::string first_, second_;
};

TEST_F(RevisionTest, ChecksOutFilesAsTheyWere) {
  const Repository repository(made_.path() / "inner");
  EXPECT_EQ(fs::canonical(repository.top()), fs::canonical(made_.path()));
  EXPECT_EQ(repository.inner(), "inner/");
  const Revision before = repository.revision("HEAD~1"), now = repository.revision("main");
  EXPECT_EQ(before.commit, first_);
  EXPECT_EQ(before.about, "HEAD~1 (" + first_.substr(0, 8) + ")");
  EXPECT_EQ(now.about, "main (" + second_.substr(0, 8) + ")");
  EXPECT_EQ(repository.revision(first_).about, first_.substr(0, 8));
  EXPECT_EQ(file_of(repository, before, "a.txt"), "first");
  EXPECT_EQ(file_of(repository, now, "a.txt"), "second");
  EXPECT_EQ(fs::status(made_.beside("checkout") / "inner/b.sh").permissions() & fs::perms::owner_exec,
            fs::perms::owner_exec);
}

TEST_F(RevisionTest, AWorkingTreeHasItsChangesAndLeavesTheRepositoryAsItWas) {
  made_.write("a.txt", "changed\n");
  made_.write("staged.txt", "staged\n");
  made_.sh("git add staged.txt");
  made_.write("unknown ä.txt", "unknown\n");
  made_.write(".git/info/exclude", "*.o\n");
  made_.write("ignored.o", "");
  const std::string before = made_.state();
  const Repository repository(made_.path());
  const Revision tree = repository.working_tree();
  EXPECT_EQ(tree.commit, second_);
  EXPECT_EQ(tree.about, "working tree (" + second_.substr(0, 8) + " and changes)");
  EXPECT_EQ(file_of(repository, tree, "a.txt"), "changed");
  EXPECT_EQ(file_of(repository, tree, "staged.txt"), "staged");
  EXPECT_EQ(file_of(repository, tree, "unknown ä.txt"), "none");
  EXPECT_THAT(repository.unknown_files(), ElementsAre("unknown ä.txt"));
  EXPECT_EQ(made_.state(), before);
}

TEST_F(RevisionTest, AWorkingTreeWithoutChangesIsItsCommit) {
  const Repository repository(made_.path());
  EXPECT_EQ(repository.working_tree().tree, repository.revision("HEAD").tree);
  EXPECT_EQ(repository.working_tree().about, "working tree (" + second_.substr(0, 8) + ")");
}

TEST_F(RevisionTest, AChangeOfTheSameSizeWithinTheSameInstantIsSeen) {
  for (int i = 0; i < 5; ++i) {
    made_.write("a.txt", "one" + std::to_string(i));
    made_.sh("git add a.txt");
    made_.write("a.txt", "two" + std::to_string(i));
    const Repository repository(made_.path());
    EXPECT_EQ(file_of(repository, repository.working_tree(), "a.txt"), "two" + std::to_string(i));
  }
}

TEST_F(RevisionTest, AHooksEnvironmentDoesNotLeadAstray) {
  MadeRepository other;
  ::setenv("GIT_DIR", (other.path() / ".git").c_str(), 1);
  ::setenv("GIT_INDEX_FILE", "/nowhere", 1);
  const Repository repository(made_.path());
  const std::string commit = repository.revision("HEAD").commit;
  const std::string tree = repository.working_tree().tree;
  ::unsetenv("GIT_DIR");
  ::unsetenv("GIT_INDEX_FILE");
  EXPECT_EQ(commit, second_);
  EXPECT_EQ(tree, repository.revision("HEAD").tree);
}

TEST_F(RevisionTest, NamesTheNearestRevision) {
  const Repository repository(made_.path());
  EXPECT_EQ(complaint([&] { repository.revision("mian"); }),
            "mian is not in this clone (did you mean main?): expected a branch, a tag or a commit's hash");
  EXPECT_EQ(complaint([&] { repository.revision("--all"); }),
            "--all is not in this clone: expected a branch, a tag or a commit's hash");
  EXPECT_EQ(complaint([&] { repository.revision("HEAD:a.txt"); }),
            "HEAD:a.txt is no commit: expected a branch, a tag or a commit's hash");
  EXPECT_EQ(complaint([&] { repository.revision("main~2"); }),
            "main~2 is not in this clone: main (" + second_.substr(0, 8) + ") has no such ancestor");
  made_.sh("git checkout -q --detach");
  EXPECT_EQ(repository.revision("HEAD").commit, second_);
  EXPECT_EQ(complaint([&] { repository.revision("HEAD^2"); }),
            "HEAD^2 is not in this clone: HEAD (" + second_.substr(0, 8) + ") has no such ancestor");
}

TEST_F(RevisionTest, SaysThatABranchHasNoCommitYet) {
  made_.sh("git checkout -q --orphan pages");
  const Repository repository(made_.path());
  const std::string why =
      ": the branch pages has no commit yet: expected another branch, a tag or a commit's hash";
  EXPECT_EQ(complaint([&] { repository.revision("HEAD"); }), "HEAD" + why);
  EXPECT_EQ(complaint([&] { repository.revision("HEAD~1"); }), "HEAD~1" + why);
  EXPECT_EQ(repository.revision("main").commit, second_);
  EXPECT_THAT(complaint([&] { repository.working_tree(); }),
              HasSubstr(": the branch pages has no commit yet"));
}

TEST_F(RevisionTest, SaysWhatAShallowCloneLacks) {
  const fs::path clone = made_.beside("clone");
  made_.sh("git clone -q --depth 1 file://\"$PWD\" ../clone 2>&1");
  const Repository repository(clone);
  EXPECT_EQ(repository.revision("HEAD").commit, second_);
  EXPECT_EQ(complaint([&] { repository.revision("origin/old"); }),
            "origin/old is not in this clone: set fetch-depth: 0 (the clone is shallow; by hand: git fetch "
            "--unshallow)");
  EXPECT_THAT(complaint([&] { repository.revision("HEAD~1"); }),
              HasSubstr("HEAD~1 is not in this clone: set"));
}

TEST(Repository, SaysWhereThereIsNone) {
  const Folder folder;
  EXPECT_THAT(complaint([&] { Repository repository(folder.path()); }),
              HasSubstr("is not in a git repository with files checked out (fatal: not a git repository"));
  EXPECT_THAT(complaint([&] { Repository repository(folder.path() / "none"); }),
              EndsWith("none: no such folder"));
  const MadeRepository empty;
  EXPECT_THAT(complaint([&] { Repository(empty.path()).working_tree(); }),
              HasSubstr("the branch main has no commit yet"));
}

TEST_F(RevisionTest, KnowsSubmodules) {
  const Repository repository(made_.path());
  EXPECT_FALSE(repository.has_submodules(repository.revision("HEAD")));
  made_.sh("git update-index --add --cacheinfo 160000," + first_ + ",sub && git commit -qm Sub");
  EXPECT_TRUE(repository.has_submodules(repository.revision("HEAD")));
}

}  // namespace
}  // namespace uotbench
