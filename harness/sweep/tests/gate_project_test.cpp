// The project files that `uotbench new project` writes work as they stand.
#include <gmock/gmock.h>

#include "harness/sweep/tests/made_project.hpp"

namespace uotbench {
namespace {

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
