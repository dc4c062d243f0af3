// Which benchmarks a repository has, for `uotbench new project`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace uotbench {

struct FoundBenchmarks {
  std::string model;    ///< of templates/project: gbench.json, criterion.json or pytest.json
  std::string target;   ///< of the build
  std::string program;  ///< that the build makes, relative to its folder; of pytest the folder of the tests
  std::string where;    ///< the file that says so, with what it says
};

/// The first of: a CMake target that links benchmark::benchmark, a Cargo [[bench]], a test of pytest that
/// uses the fixture `benchmark`. Looks at no more than some thousand files. Absent: none.
std::optional<FoundBenchmarks> find_benchmarks(const std::filesystem::path& folder);

}  // namespace uotbench
