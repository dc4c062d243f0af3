// A made repository with a project file: its worker, built from its last commit.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/tests/made_repository.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/json.hpp"

namespace uotbench {

inline const std::filesystem::path project_sources = UOTBENCH_SOURCE_DIR;

inline std::string whole_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The worker that its project builds of its last commit says hello.
inline Json hello_of(const MadeRepository& made) {
  const Project project = read_project(made.path() / "uotbench.project.json");
  std::string said;
  const Built built =
      build_revision(project, "HEAD", {.cache = made.beside("cache"), .on_text = [&](std::string_view line) {
                                         said += std::string(line) + "\n";
                                       }});
  const RunContext context{.timeout = 30};
  WorkerProcess worker(workers_of(project, built, {}).back(), context, {});
  return worker.exchange({{"type", "describe"}}, "described", 30);
}

}  // namespace uotbench
