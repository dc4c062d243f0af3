// The project file of compiled workers that `uotbench new project` writes works as it is, with an installed
// uotbench.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <regex>

#include "harness/sweep/tests/made_repository.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

TEST(CompiledProject, IsBuiltAndAnswers) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "a worker of one's own would be linked with a sanitizer's half";
#endif
  const MadeRepository made;
  const std::string home = made.beside("home").string(), before = ::getenv("HOME") ? ::getenv("HOME") : "";
  made.sh("cmake --install '" + fs::path(UOTBENCH_BIN_DIR).parent_path().string() +
          "' --prefix ../home/uotbench");
  const std::string project = whole_text(project_sources / "templates/project/compiled.json");
  made.write("uotbench.project.json", std::regex_replace(project, std::regex("mine"), "two_passes"));
  for (const char* file : {"CMakeLists.txt", "two_passes.cpp"})
    made.write(file, whole_text(project_sources / "templates/variant" / file));
  made.commit("A kernel");
  ::setenv("HOME", home.c_str(), 1);
  const Json described = hello_of(made);
  ::setenv("HOME", before.c_str(), 1);
  ASSERT_EQ(described.at("variants").size(), 1u);
  EXPECT_EQ(described["variants"][0].at("code").get<std::string>().size(), 16u);
}

}  // namespace
}  // namespace uotbench
