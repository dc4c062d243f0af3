// A family's sizes that nothing divides (kernels/FAMILY/awkward.json), whichever families there are.
#pragma once

#include "tools/tests/program.hpp"

namespace uotbench {

/// The families that have such sizes. A test for each: together they take minutes.
inline std::vector<std::string> awkward_families() {
  std::vector<std::string> names;
  for (const auto& family : fs::directory_iterator(std::string(UOTBENCH_SOURCE_DIR) + "/kernels"))
    if (fs::exists(family.path() / "awkward.json")) names.push_back(family.path().filename());
  std::ranges::sort(names);
  return names;
}

/// The records of the family's cases whose ids the pattern matches, judged in `folder`; none where it has no
/// such case.
inline std::vector<Record> judged_at_awkward_sizes(const fs::path& folder, const std::string& family,
                                                   const std::string& pattern) {
  const Outcome outcome = uotbench(folder,
                                   {"--sweep", family + "/awkward.json", "--filter", pattern, "--verify-only",
                                    "--quiet", "--output", "run.jsonl"},
                                   280);
  if (outcome.code == 2 && outcome.err.find("leave no case") != std::string::npos) return {};
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return read_run(folder / "run.jsonl").records;
}

}  // namespace uotbench
