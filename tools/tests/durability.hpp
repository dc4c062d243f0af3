// Runs that are cut off, and gone on with.
#pragma once

#include <string>
#include <vector>

#include "tools/tests/program.hpp"

namespace uotbench {

/// Where a test's run file is, and the command that writes it.
class Durability : public testing::Test {
 protected:
  std::vector<std::string> command(const std::vector<std::string>& arguments) const {
    return joined({uotbench_program, "run", "--worker", fault_worker, "--output", "run.jsonl"}, arguments);
  }
  Outcome run(const std::vector<std::string>& arguments, double seconds = 60) const {
    return Program(command(arguments), folder_.path()).wait(seconds);
  }
  /// One group that is done at once, then one whose second case computes until its timeout.
  std::vector<std::string> with_a_hang(const std::string& timeout) const {
    write_text(folder_ / "hang.json", R"({"name": "hang", "cases": [
      {"variants": ["uot/fault_fine"], "axes": {"M,N": [[12, 7]]}},
      {"variants": ["uot/fault_fine", "uot/fault_hang"], "axes": {"M,N": [[13, 7]]}}]})");
    return joined({"--sweep", "hang.json", "--case-timeout", timeout}, quick);
  }
  bool has_records(std::size_t count) const { return final_records(file_).size() >= count; }

  const std::string worker_name_ = "uotbench-worker-fault";
  Folder folder_;
  const fs::path file_ = folder_ / "run.jsonl";
  const std::string done_ = "uot/fault_fine/M:12/N:7@fault", beside_ = "uot/fault_fine/M:13/N:7@fault",
                    hanging_ = "uot/fault_hang/M:13/N:7@fault";
};

}  // namespace uotbench
