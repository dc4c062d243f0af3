// The project files that `uotbench new project` writes work as they stand.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <regex>

#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/tests/made_repository.hpp"
#include "harness/sweep/workers/worker_process.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

const fs::path source_folder = UOTBENCH_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The worker that its project builds of its last commit says hello.
Json hello_of(const MadeRepository& made) {
  const Project project = read_project(made.path() / "uotbench.project.json");
  std::string said;
  const Built built =
      build_revision(project, "HEAD", {.cache = made.beside("cache"), .on_text = [&](std::string_view line) {
                                         said += std::string(line) + "\n";
                                       }});
  const RunContext context{.timeout = 30};
  WorkerProcess worker(workers_of(project, built, {}).back(), context, {});
  return worker.ask({{"type", "describe"}}, "described", 30);
}

TEST(GateProject, ThePythonExampleIsBuiltAndAnswers) {
  const MadeRepository made;
  made.write("uotbench.project.json", text_of(source_folder / "templates/project/python.json"));
  made.write("mine.py", text_of(source_folder / "docs/my_worker.py"));
  made.commit("A worker");
  EXPECT_EQ(hello_of(made).at("variants").at(0).at("name"), "uot/python_lists");
}

TEST(GateProject, TheCppExampleIsBuiltAndAnswers) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "a worker of one's own would be linked with a sanitizer's half";
#endif
  const MadeRepository made;
  const std::string home = made.beside("home").string(), before = ::getenv("HOME") ? ::getenv("HOME") : "";
  made.sh("cmake --install '" + fs::path(UOTBENCH_BIN_DIR).parent_path().string() +
          "' --prefix ../home/uotbench");
  const std::string project = text_of(source_folder / "templates/project/compiled.json");
  made.write("uotbench.project.json", std::regex_replace(project, std::regex("mine"), "two_passes"));
  for (const char* file : {"CMakeLists.txt", "two_passes.cpp"})
    made.write(file, text_of(source_folder / "templates/variant" / file));
  made.commit("A kernel");
  ::setenv("HOME", home.c_str(), 1);
  const Json described = hello_of(made);
  ::setenv("HOME", before.c_str(), 1);
  ASSERT_EQ(described.at("variants").size(), 1u);
  EXPECT_EQ(described["variants"][0].at("code").get<std::string>().size(), 16u);
}

TEST(GateProject, ThisRepositorysFileIsSound) {
  const Project project = read_project(source_folder / "uotbench.project.json");
  EXPECT_EQ(project.bin, "{prefix}/bin");
}

}  // namespace
}  // namespace uotbench
