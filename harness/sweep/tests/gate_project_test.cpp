// The project files that `uotbench new project` writes work as they stand.
#include <gmock/gmock.h>

#include "harness/sweep/tests/made_project.hpp"

namespace uotbench {
namespace {

TEST(GateProject, ThePythonExampleIsBuiltAndAnswers) {
  const MadeRepository made;
  made.write("uotbench.project.json", text_of(source_folder / "templates/project/python.json"));
  made.write("mine.py", text_of(source_folder / "docs/my_worker.py"));
  made.commit("A worker");
  EXPECT_EQ(hello_of(made).at("variants").at(0).at("name"), "uot/python_lists");
}

TEST(GateProject, ThisRepositorysFileIsSound) {
  const Project project = read_project(source_folder / "uotbench.project.json");
  EXPECT_EQ(project.bin, "{prefix}/bin");
}

}  // namespace
}  // namespace uotbench
