// Gates of workers whose times are made up (gate_worker.py), so that what is to be found is known.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/gate/tell/formats.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {

inline std::string gate_worker(const std::string& flags = "") {
  return "python3 -S -I " + std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/gate_worker.py " + flags;
}

class Gate : public testing::Test {
 protected:
  /// 10 pairs a look: the fewest that confirm anything of one or two cases.
  Outcome gate(const std::string& baseline, const std::string& candidate, std::vector<std::string> more = {},
               std::vector<std::string> variants = {"uot/python_lists"}) {
    std::vector<std::string> arguments{"gate",
                                       "--baseline-worker",
                                       gate_worker(baseline),
                                       "--candidate-worker",
                                       gate_worker(candidate),
                                       "-a",
                                       "M,N=4,3",
                                       "--seed",
                                       "1",
                                       "--output",
                                       "gate.jsonl",
                                       "--force"};
    if (std::ranges::find(more, "--pairs") == more.end()) more.insert(more.end(), {"--pairs", "10"});
    return uotbench(folder.path(), joined(joined(arguments, more), variants), 200);
  }
  GateReport report_of(const Outcome& outcome) { return gate_report_from(Json::parse(outcome.out)); }

  const std::string lists = "uot/python_lists/M:4/N:3@worker", other = "uot/python_other/M:4/N:3@worker";
  Folder folder;
};

}  // namespace uotbench
