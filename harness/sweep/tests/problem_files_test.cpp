// A problem's files are the parent's: whatever a worker leaves behind harms no other, and none of the user's.
#include "harness/sweep/workers/problem_files.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "harness/protocol/npy.hpp"
#include "harness/sweep/tests/planned.hpp"
#include "harness/sweep/tests/scripted_worker.hpp"
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

}  // namespace
}  // namespace uotbench
