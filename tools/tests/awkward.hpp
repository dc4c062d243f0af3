// Every family's sizes that nothing divides (kernels/FAMILY/awkward.json), whichever families there are.
#pragma once

#include "tools/tests/program.hpp"

namespace uotbench {

/// The records of all families' cases whose ids the pattern matches, judged in `folder`.
inline std::vector<Record> judged_at_awkward_sizes(const fs::path& folder, const std::string& pattern) {
  std::vector<Record> all;
  for (const auto& family : fs::directory_iterator(std::string(UOTBENCH_SOURCE_DIR) + "/kernels")) {
    const fs::path sweep = family.path() / "awkward.json";
    if (!fs::exists(sweep)) continue;
    const std::string file = family.path().filename().string() + ".jsonl";
    const Outcome outcome = uotbench(
        folder, {"--sweep", sweep, "--filter", pattern, "--verify-only", "--quiet", "--output", file}, 240);
    if (outcome.code == 2 && outcome.err.find("leave no case") != std::string::npos) continue;
    EXPECT_EQ(outcome.code, 0) << sweep << ": " << outcome.err;
    for (auto& record : read_run(folder / file).records) all.push_back(std::move(record));
  }
  return all;
}

}  // namespace uotbench
