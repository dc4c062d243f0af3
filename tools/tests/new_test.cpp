// What `uotbench new` writes is whole, is called as it was asked to be, and is never written over anything.
// That kernels and families so written build is what the scripts one_file_variant_test, family_test and
// install_test show.
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::Not;

class New : public testing::Test {
 protected:
  Outcome uotbench(const std::vector<std::string>& arguments) const {
    return uotbench::uotbench(folder_.path(), arguments);
  }
  std::string read(const std::string& file) const { return text_of(folder_ / file); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::recursive_directory_iterator(folder_.path()), fs::recursive_directory_iterator()));
  }

  Folder folder_;
};

TEST_F(New, VariantIsAKernelAndItsProject) {
  const Outcome outcome = uotbench({"new", "variant", "my_two_passes"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::StartsWith("wrote my_two_passes.cpp\nwrote CMakeLists.txt\nnext:\n"));
  EXPECT_THAT(read("my_two_passes.cpp"),
              testing::AllOf(HasSubstr("class MyTwoPasses {"), HasSubstr(".name = \"uot/my_two_passes\""),
                             Not(HasSubstr("my_my_"))));
  EXPECT_THAT(read("CMakeLists.txt"), HasSubstr("uotbench_add_worker(my_two_passes my_two_passes.cpp)"));
  // Beside a project that is there it says which line that needs.
  const Outcome second = uotbench({"new", "variant", "uot/other"});
  EXPECT_THAT(second.out, HasSubstr("\n  echo 'uotbench_add_worker(other other.cpp)' >>CMakeLists.txt\n"));
  EXPECT_THAT(read("CMakeLists.txt"), Not(HasSubstr("other")));
  EXPECT_EQ(uotbench({"new", "variant", "third.py"}).code, 0);
  EXPECT_THAT(read("third.py"), HasSubstr("@variant("));
  EXPECT_EQ(files(), 4u);
}

TEST_F(New, InACloneVariantsAndFamiliesHaveTheirPlace) {
  write_text(folder_ / "rooms.txt", "");
  fs::create_directories(folder_ / "kernels/uot");
  EXPECT_THAT(uotbench({"new", "variant", "mine"}).out,
              testing::StartsWith("wrote kernels/uot/mine.cpp\nnext:\n"));
  EXPECT_THAT(
      uotbench({"new", "family", "root_sum"}).out,
      testing::StartsWith("wrote kernels/root_sum/problem.hpp\nwrote kernels/root_sum/oracle/oracle.cpp\n"
                          "wrote kernels/root_sum/loop.cpp\nwrote kernels/root_sum/awkward.json\nnext:\n"));
  EXPECT_THAT(
      read("kernels/root_sum/oracle/oracle.cpp"),
      testing::AllOf(HasSubstr("class RootSum final : public Family"), HasSubstr(".name = \"root_sum\""),
                     Not(HasSubstr("demo")), Not(HasSubstr("Demo"))));
  EXPECT_EQ(uotbench({"new", "family", "root_sum"}).err,
            "uotbench: new: kernels/root_sum is there already\n");
}

// The commands that it prints are what a user tries next: sizes are read from the files.
TEST_F(New, DataIsAFolderForAllFamilies) {
  const Outcome outcome = uotbench({"new", "data", "mine"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::StartsWith("wrote mine/a.csv\nwrote mine/b.csv\nwrote mine/X.csv\n"));
  for (const char* variant : {"uot/matrix_free", "sinkhorn_log/points", "simplex/colgen"}) {
    EXPECT_THAT(outcome.out,
                HasSubstr(std::string("uotbench run ") + variant + " -a data=npy -a path=mine\n"));
    const Outcome run = uotbench(
        {"run", variant, "-a", "data=npy", "-a", "path=mine", "--verify-only", "--output", "o.jsonl"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(read("o.jsonl"), testing::AllOf(HasSubstr("/M:12/N:10/"), HasSubstr("\"status\":\"ok\"")));
    fs::remove(folder_ / "o.jsonl");
  }
}

TEST_F(New, WorkerKeepsTheProtocol) {
  EXPECT_EQ(uotbench({"new", "worker", "my_worker_2.py"}).code, 0);
  EXPECT_THAT(read("my_worker_2.py"),
              testing::AllOf(HasSubstr("uot/my_worker_2\""), Not(HasSubstr("my_worker_2_2"))));
  const Outcome checked = uotbench({"check-worker", "python3 my_worker_2.py"});
  EXPECT_EQ(checked.code, 0) << checked.out;
  EXPECT_THAT(checked.out, HasSubstr("verify uot/my_worker_2: right at 5 points"));
}

TEST_F(New, ProjectIsOfTheWorkerThatIsNamed) {
  EXPECT_EQ(uotbench({"new", "project", "mine"}).code, 0);
  EXPECT_THAT(read("uotbench.project.json"), HasSubstr("\"{prefix}/uotbench-worker-mine\""));
  EXPECT_EQ(uotbench({"new", "project", "mine.py"}).err,
            "uotbench: new: uotbench.project.json is there already, and nothing is overwritten; give another "
            "name\n");
  fs::remove(folder_ / "uotbench.project.json");
  EXPECT_EQ(uotbench({"new", "project", "sums.py"}).code, 0);
  EXPECT_THAT(read("uotbench.project.json"),
              testing::AllOf(HasSubstr("\"python3 {checkout}/sums.py\""), HasSubstr("\"name\": \"sums\"")));
}

// Hidden folders and builds are left out; so are tests that measure nothing.
TEST_F(New, ProjectIsOfTheBenchmarksThatAreFound) {
  const auto made_of = [&](const std::string& file, const std::string& text) {
    const Folder folder;
    fs::create_directories((folder / file).parent_path());
    write_text(folder / file, text);
    const Outcome outcome = uotbench::uotbench(folder.path(), {"new", "project", "mine"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return text_of(folder / "uotbench.project.json") + outcome.out;
  };
  const std::string cmake =
      "add_executable(sums sums.cpp)\ntarget_link_libraries(sums PRIVATE benchmark::benchmark_main)\n";
  EXPECT_THAT(made_of("CMakeLists.txt", cmake),
              testing::AllOf(HasSubstr("\"gbench:{prefix}/sums\""), HasSubstr("--target sums"),
                             HasSubstr("uotbench gate 'external/*' --baseline-ref HEAD")));
  EXPECT_THAT(made_of("perf/CMakeLists.txt", cmake), HasSubstr("\"gbench:{prefix}/perf/sums\""));
  EXPECT_THAT(made_of("build/CMakeLists.txt", cmake), HasSubstr("{prefix}/uotbench-worker-mine"));
  EXPECT_THAT(
      made_of("Cargo.toml", "[package]\nname = \"x\"\n\n[[bench]]\nname = \"sums\"\nharness = false\n"),
      testing::AllOf(HasSubstr("--no-run --bench sums"),
                     HasSubstr("criterion:cargo bench --manifest-path {checkout}/Cargo.toml")));
  EXPECT_THAT(made_of("tests/test_sums.py", "def test_it(benchmark):\n    benchmark(sum, [1])\n"),
              HasSubstr("pytest:python3 -m pytest --rootdir {checkout} {checkout}/tests\""));
  EXPECT_THAT(made_of("tests/test_sums.py", "def test_it():\n    assert True\n"),
              HasSubstr("{prefix}/uotbench-worker-mine"));
}

TEST_F(New, OverwritesNothingAndTakesOnlyNames) {
  write_text(folder_ / "mine.cpp", "precious");
  EXPECT_EQ(uotbench({"new", "variant", "mine"}).code, 2);
  EXPECT_EQ(read("mine.cpp"), "precious");
  fs::create_symlink("nowhere", folder_ / "linked.py");
  EXPECT_EQ(uotbench({"new", "worker", "linked"}).code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"variant", "../mine"},
                                                {"variant", "Mine"},
                                                {"variant", "1st"},
                                                {"variant", "a b"},
                                                {"variant", "x.f90"},
                                                {"variant", "match/x"},
                                                {"family", "demo"},
                                                {"kernel", "x"},
                                                {"worker", ""}}) {
    const Outcome outcome = uotbench({"new", wrong[0], wrong[1]});
    EXPECT_EQ(outcome.code, 2) << wrong[1];
    EXPECT_THAT(outcome.err, testing::MatchesRegex("uotbench: new: [^\n]+\n"));
  }
  EXPECT_EQ(files(), 2u);  // not even a CMakeLists.txt
}

}  // namespace
}  // namespace uotbench
