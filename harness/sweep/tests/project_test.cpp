// A revision is built once, as its project says, and a build that is not whole is never taken for one.
#include "harness/sweep/revisions/project.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "harness/protocol/tests/refusal.hpp"
#include "harness/sweep/tests/made_repository.hpp"
#include "harness/sweep/workers/worker_process.hpp"

namespace uotbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

namespace fs = std::filesystem;

/// A repository whose build copies a worker, and counts how often it was run.
class ProjectTest : public testing::Test {
 protected:
  ProjectTest() {
    made_.write("worker.sh", "#!/bin/sh\necho first\n");
    made_.sh("chmod +x worker.sh");
    write_project(
        R"({"build": "echo x >>\"$UOTBENCH_TEST_COUNT\"; cp \"{checkout}/worker.sh\" {prefix}/w", "worker": "{prefix}/w --fast"})");
    first_ = made_.commit("First");
    made_.write("worker.sh", "#!/bin/sh\necho second\n");
    second_ = made_.commit("Second");
    ::setenv("UOTBENCH_TEST_COUNT", made_.beside("count").c_str(), 1);
  }

  void write_project(const std::string& text) { made_.write("uotbench.project.json", text); }
  Project project() const { return read_project(made_.path() / "uotbench.project.json"); }
  BuildOptions options() {
    return {.cache = made_.beside("the cache's"), .stop = &stop_, .on_text = [this](std::string_view line) {
              said_.emplace_back(line);
            }};
  }
  Built build(const std::string& revision) { return build_revision(project(), revision, options()); }
  std::string failure(const std::string& revision) {
    try {
      build(revision);
    } catch (const BuildFailed& error) {
      last_lines_ = error.said();
      return error.what();
    }
    return "no failure";
  }
  std::size_t builds() const { return read_lines(made_.beside("count")).size(); }
  /// What its worker prints.
  std::string worker_of(const Built& built) const {
    const auto workers = workers_of(project(), built, {});
    return trimmed(run_program({.command = workers.back().command}).said);
  }
  std::size_t folders() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(made_.beside("the cache's")))
      count += entry.is_directory();
    return count;
  }

  MadeRepository made_;
  std::string first_, second_;
  volatile sig_atomic_t stop_ = 0;
  std::vector<std::string> said_, last_lines_;
};

TEST_F(ProjectTest, BuildsARevisionOnce) {
  const Built built = build("HEAD~1");
  EXPECT_FALSE(built.stored);
  EXPECT_EQ(built.commit, first_);
  EXPECT_EQ(built.about, "HEAD~1 (" + first_.substr(0, 8) + ")");
  EXPECT_EQ(worker_of(built), "first");
  const Built again = build(first_);
  EXPECT_TRUE(again.stored);
  EXPECT_EQ(again.prefix, built.prefix);
  EXPECT_EQ(again.about, first_.substr(0, 8));
  EXPECT_EQ(builds(), 1u);
  EXPECT_THAT(said_, ElementsAre(StartsWith("building HEAD~1 (" + first_.substr(0, 8) + "); its log: ")));
}

TEST_F(ProjectTest, PathsOfTwoBuildsAreOfOneLength) {
  const Built a = build("HEAD~1"), b = build("HEAD");
  EXPECT_NE(a.prefix, b.prefix);
  EXPECT_EQ(a.prefix.string().size(), b.prefix.string().size());
  EXPECT_EQ(worker_of(b), "second");
}

TEST_F(ProjectTest, EqualFilesAreOneBuildWhicheverCommitHasThem) {
  build("HEAD");
  made_.commit("Nothing changed");
  EXPECT_TRUE(build("HEAD").stored);
}

TEST_F(ProjectTest, AnotherCommandOrFlagIsAnotherBuild) {
  build("HEAD");
  ::setenv("CXXFLAGS", "-O0", 1);
  EXPECT_FALSE(build("HEAD").stored);
  ::unsetenv("CXXFLAGS");
  EXPECT_TRUE(build("HEAD").stored);
  write_project(R"({"build": "cp {checkout}/worker.sh {prefix}/w", "worker": "{prefix}/w"})");
  EXPECT_FALSE(build("HEAD").stored);
}

TEST_F(ProjectTest, AWorkingTreeIsBuiltWithItsChanges) {
  made_.write("worker.sh", "#!/bin/sh\necho changed\n");
  for (const char* name : {"new1", "new2", "new3", "new4"}) made_.write(name, "");
  const Built built = build("");
  EXPECT_EQ(worker_of(built), "changed");
  EXPECT_EQ(built.about, "working tree (" + second_.substr(0, 8) + " and changes)");
  EXPECT_THAT(said_,
              Contains("4 files that git does not know are not in the build: new1, new2, new3, …; git add "
                       "what belongs to it"));
  made_.sh("git checkout -q worker.sh && rm new2 new3 new4");
  made_.sh("mkdir -p sub/results/runs .uotbench/history");  // what uotbench itself leaves is in no build
  for (const char* name : {"sub/results/runs/gate.jsonl", ".uotbench/history/a.jsonl"}) made_.write(name, "");
  build("");
  EXPECT_THAT(said_,
              Contains("a file that git does not know is not in the build: new1; git add what belongs to "
                       "it"));
  EXPECT_TRUE(build("HEAD").stored);
}

TEST_F(ProjectTest, AFailedBuildSaysItsCommandCodeLastLinesAndLog) {
  write_project(R"({"build": "seq 30; echo no such header >&2; exit 2", "worker": "{prefix}/w"})");
  const std::string text = failure("HEAD");
  EXPECT_THAT(text,
              StartsWith("HEAD (" + second_.substr(0, 8) +
                         ") does not build: `seq 30; echo no such header >&2; exit 2` ended with code 2; it "
                         "last said: no such header; its log: "));
  ASSERT_GE(said_.size(), 15u);
  EXPECT_EQ(said_.back(), "no such header");
  EXPECT_EQ(said_[said_.size() - 15], "17");
  ASSERT_EQ(last_lines_.size(), 15u) << "for those who read a report alone";
  EXPECT_EQ(last_lines_.back(), "no such header");
  const fs::path log = text.substr(text.find("its log: ") + 9);
  EXPECT_EQ(read_lines(log).size(), 32u);
  EXPECT_EQ(folders(), 0u);
  EXPECT_THAT(failure("HEAD"), HasSubstr("does not build"));  // not taken for built
}

TEST_F(ProjectTest, ABuildWithoutItsWorkerIsAFailure) {
  write_project(R"({"build": "echo all done", "worker": "{prefix}/w"})");
  EXPECT_THAT(failure("HEAD"), HasSubstr("/prefix/w after the build: "));
  EXPECT_EQ(last_lines_.back(), "all done");
  EXPECT_THAT(failure("HEAD"),
              HasSubstr("uotbench.project.json says \"worker\": \"{prefix}/w\"; the build's log: "));
  write_project(R"({"worker": "python3 {checkout}/gone.py"})");
  EXPECT_THAT(failure("HEAD"), HasSubstr(": no file "));
  EXPECT_THAT(failure("HEAD"), HasSubstr("/checkout/gone.py after the build"));
  write_project(R"({"build": "mkdir {prefix}/bin", "bin": "{prefix}/bin"})");
  EXPECT_THAT(failure("HEAD"), HasSubstr("no program uotbench-worker-NAME in "));
}

TEST_F(ProjectTest, WithoutABuildLineTheFilesAreTheBuild) {
  write_project(R"({"worker": "sh {checkout}/worker.sh", "name": "script"})");
  const Built built = build("HEAD~1");
  EXPECT_EQ(worker_of(built), "first");
  EXPECT_EQ(workers_of(project(), built, {}).back().name, "script");
}

TEST_F(ProjectTest, StoppedBuildsEndAndAreNotTakenForWhole) {
  write_project(
      R"({"build": "touch {prefix}/w; chmod +x {prefix}/w; touch \"$UOTBENCH_TEST_COUNT\"; sleep 100", "worker": "{prefix}/w"})");
  std::thread stopper([&] {
    while (!fs::exists(made_.beside("count"))) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop_ = 1;
  });
  EXPECT_THROW(build("HEAD"), Interrupted);
  stopper.join();
  EXPECT_EQ(folders(), 0u);
}

TEST_F(ProjectTest, AKilledBuildIsMadeAnewAndItsRemainsGo) {
  const std::string line =
      R"({"build": "touch {prefix}/w; chmod +x {prefix}/w; if [ ! -e \"$UOTBENCH_TEST_COUNT\" ]; then touch \"$UOTBENCH_TEST_COUNT\"; sleep 100; fi", "worker": "{prefix}/w"})";
  write_project(line);
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      build("HEAD");
    } catch (...) {
    }
    ::_exit(0);
  }
  while (!fs::exists(made_.beside("count"))) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(folders(), 1u);
  EXPECT_FALSE(build("HEAD").stored);
  EXPECT_EQ(folders(), 1u);
}

TEST_F(ProjectTest, TwoAtOnceBuildOnce) {
  write_project(
      R"({"build": "echo x >>\"$UOTBENCH_TEST_COUNT\"; sleep 0.3; cp {checkout}/worker.sh {prefix}/w", "worker": "{prefix}/w"})");
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 1;
    try {
      code = build("HEAD").stored ? 10 : 11;
    } catch (...) {
    }
    ::_exit(code);
  }
  const bool stored = build("HEAD").stored;
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(builds(), 1u);
  EXPECT_EQ(WEXITSTATUS(status), stored ? 11 : 10);
}

TEST_F(ProjectTest, KeepsTheNewestBuildsAndThoseInUse) {
  const Built used = build("HEAD~1");
  for (int i = 0; i < 12; ++i) {
    made_.write("n", std::to_string(i));
    made_.sh("git add n");
    build("");
  }
  EXPECT_EQ(folders(), 11u);
  EXPECT_EQ(worker_of(used), "first");
  EXPECT_TRUE(build("").stored);
}

TEST_F(ProjectTest, AnInnerFolderIsAProjectOfItsOwn) {
  made_.write("inner/w.sh", "echo inner\n");
  write_project(R"({"repo": "inner", "worker": "sh {checkout}/w.sh"})");
  made_.commit("Inner");
  EXPECT_EQ(worker_of(build("HEAD")), "inner");
  EXPECT_THAT(failure("HEAD~1"), EndsWith("has no folder inner/"));
}

TEST_F(ProjectTest, OnlyTheProgramsOfWorkersAreReplaced) {
  write_project(
      R"({"build": "mkdir {prefix}/bin; cp {checkout}/worker.sh {prefix}/bin/uotbench-worker-a", "bin": "{prefix}/bin"})");
  const Built built = build("HEAD");
  const auto workers = workers_of(project(), built,
                                  {{.name = "a",
                                    .about = {},
                                    .command = {"valgrind", "--log=x", "/ours/uotbench-worker-a"},
                                    .environment = {},
                                    .isa = {}},
                                   {.name = "oracle",
                                    .about = {},
                                    .command = {"/ours/uotbench-worker-oracle"},
                                    .environment = {},
                                    .isa = {},
                                    .judge = true},
                                   {.name = "mine",
                                    .about = {},
                                    .command = {"/theirs/uotbench-worker-mine"},
                                    .environment = {},
                                    .isa = {},
                                    .given = true}});
  EXPECT_THAT(workers[0].command,
              ElementsAre("valgrind", "--log=x", (built.prefix / "bin/uotbench-worker-a").string()));
  EXPECT_EQ(workers[1].command.front(), "/ours/uotbench-worker-oracle");
  EXPECT_EQ(workers[2].command.front(), "/theirs/uotbench-worker-mine");
}

TEST_F(ProjectTest, IsFoundInTheTopFolder) {
  fs::create_directories(made_.path() / "deep/inside");
  EXPECT_EQ(fs::canonical(find_project(made_.path() / "deep/inside")),
            fs::canonical(made_.path() / "uotbench.project.json"));
  made_.sh("rm uotbench.project.json");
  const std::string text = complaint([&] { find_project(made_.path()); });
  EXPECT_THAT(text, StartsWith("no "));
  EXPECT_THAT(
      text, HasSubstr("/uotbench.project.json: it says how a revision is built, such as {\"build\": \"make"));
}

TEST(ReadProject, SaysWhatIsWrong) {
  const Folder folder;
  const auto wrong = [&](const std::string& text) {
    const std::string said = complaint([&] { read_project(folder.write("p.json", text)); });
    return said.substr(said.find("p.json"));
  };
  EXPECT_EQ(wrong(R"({"build": "true"})"),
            "p.json: expected \"worker\" (one worker's command) or \"bin\" (a folder of programs "
            "uotbench-worker-NAME), got neither");
  EXPECT_THAT(wrong(R"({"bin": "b", "worker": "w"})"), testing::EndsWith(", got both"));
  EXPECT_EQ(wrong(R"({"bin": "b", "name": "w"})"),
            "p.json: /name: workers in \"bin\" have names of their own; leave it out");
  EXPECT_EQ(wrong(R"({"worker": "{prefx}/w"})"),
            "p.json: /worker: unknown {prefx}; expected {checkout}, {prefix}; {{prefx}} for the text {prefx} "
            "itself");
  EXPECT_THAT(wrong(R"({"wroker": "w"})"),
              StartsWith("p.json: /: unknown key \"wroker\" (did you mean worker?)"));
  EXPECT_THAT(wrong(R"({"worker": "w", "name": "a b"})"),
              StartsWith("p.json: /name: expected the worker's name in ids of cases, of letters, digits, "
                         "'_', '.', '+' and '-', got \"a b\""));
  EXPECT_THAT(wrong(R"({"worker": " "})"), StartsWith("p.json: /worker: no command; expected "));
}

TEST(ProjectWords, AreQuotedAsTheyStand) {
  const ProjectPlaces places{"/a b'c\"d$e", "/p"};
  const auto shell = [&](const std::string& line) {
    return run_program({.command = {"sh", "-c", filled_in_shell(line, places)}}).said;
  };
  const std::string path = places.checkout.string() + "/x\n";
  EXPECT_EQ(shell("printf '%s\\n' {checkout}/x"), path);
  EXPECT_EQ(shell("printf '%s\\n' \"{checkout}/x\""), path);
  EXPECT_EQ(shell("printf '%s\\n' '{checkout}/x'"), path);
  EXPECT_EQ(shell("printf '%s\\n' \\\"{checkout}/x"), "\"" + path);
  EXPECT_EQ(shell("prefix=1; echo ${prefix} {{prefix}} {prefix}"), "1 {prefix} /p\n");
  EXPECT_EQ(filled("{checkout}: {{word}} {other} ${prefix} {", {"c", "p"}), "c: {word} {other} ${prefix} {");
}

// The project files that `uotbench new project` writes work as they stand.

TEST(GateProject, ThePythonExampleIsBuiltAndAnswers) {
  const MadeRepository made;
  made.write("uotbench.project.json", whole_text(project_sources / "templates/project/python.json"));
  made.write("mine.py", whole_text(project_sources / "docs/my_worker.py"));
  made.commit("A worker");
  EXPECT_EQ(hello_of(made).at("variants").at(0).at("name"), "uot/python_lists");
}

TEST(GateProject, ThisRepositorysFileIsSound) {
  const Project project = read_project(project_sources / "uotbench.project.json");
  EXPECT_EQ(project.bin, "{prefix}/bin");
}

}  // namespace
}  // namespace uotbench
