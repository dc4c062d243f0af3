// What several tests share: gates of workers whose times are made up (gate_worker.py), so that what is to be
// found is known; runs that are cut off, and gone on with; and what a record counted.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/gate/tell/formats.hpp"
#include "results/record/counters.hpp"
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

/// A record's counters of a fresh run, without what is zero.
inline std::map<std::string, double> counts_of(const Record& record) {
  std::map<std::string, double> counts;
  for (const auto& name : counter_names_in(std::vector<Record>{record}))
    if (const auto counter = counter_of(record, name); counter && counter->value.value_or(0) != 0)
      counts[name] = *counter->value;
  return counts;
}

/// The order in which threads of a simulated GPU are run, for `run -a`.
inline const std::string any_order = "order=ascending,descending,shuffled";

/// What `uotbench run` with these arguments counts in the worker simt-trace, by variant: all cases of a
/// variant have to count the same.
inline std::map<std::string, std::map<std::string, double>> counts_by_variant(
    const fs::path& folder, const std::vector<std::string>& arguments) {
  const Outcome outcome = uotbench(folder,
                                   joined({"run"}, joined(arguments, {"--worker", "simt-trace", "--rounds",
                                                                      "0", "--output", "run.jsonl"})),
                                   240);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::map<std::string, std::map<std::string, double>> first;
  for (const auto& [id, record] : records_of(folder / "run.jsonl")) {
    const auto counts = counts_of(record);
    EXPECT_GT(counts.size(), 5u) << id;
    const auto [there, fresh] = first.try_emplace(record.variant, counts);
    EXPECT_EQ(counts, there->second) << id;
  }
  return first;
}

}  // namespace uotbench
