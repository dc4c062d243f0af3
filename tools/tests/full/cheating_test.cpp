// Kernels in C++ that are right when they are verified and have no true time, as candidates of an honest
// baseline in Python of the same name. Cheats in Python: misbehaving_test.cpp.
#include "tools/tests/fixtures.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// 10 pairs are the fewest that confirm anything; a failure shows in each look.
Outcome gate_of_fault(const Folder& folder, const std::string& variant, const std::string& pairs = "10") {
  const std::string name = "uot/python_lists";
  std::string honest = text_of(std::string(UOTBENCH_SOURCE_DIR) + "/docs/my_worker.py");
  for (std::size_t at = 0; (at = honest.find(name, at)) != std::string::npos; at += variant.size())
    honest.replace(at, name.size(), variant);
  write_text(folder / "honest.py", honest);
  return uotbench(
      folder.path(),
      {"gate", "--baseline-worker", quick_python() + (folder / "honest.py").string(), "--candidate-worker",
       "env UOTBENCH_FAULT_STATE=" + folder.path().string() + " " + bin + "/uotbench-worker-fault", "-a",
       "M,N=12,7", "--seed", "1", "--output", "gate.jsonl", "--pairs", pairs, variant},
      200);
}

struct Cheat {
  const char* kernel;
  const char* found;  ///< a regular expression
};

class CheatingCandidate : public testing::TestWithParam<Cheat> {};

TEST_P(CheatingCandidate, FailsTheGate) {
  const std::string variant = std::string("uot/fault_") + GetParam().kernel;
  Outcome outcome;
  EXPECT_TRUE(in_some_attempt([&] {
    outcome = gate_of_fault(Folder(), variant, "4");
    return outcome.code == 5 && testing::Matches(ContainsRegex(GetParam().found))(outcome.out);
  })) << outcome.out
      << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("FAILED  " + variant + "/M:12/N:7@worker"));
}

INSTANTIATE_TEST_SUITE_P(By, CheatingCandidate,
                         testing::Values(Cheat{"boundless", "impossible: .* would read .* cannot exceed"},
                                         Cheat{"deferred", "adds .* of wall time"},
                                         Cheat{"memo", "keeps results of earlier iterations"},
                                         Cheat{"settled", "does less work the longer it runs"},
                                         Cheat{"twelve", "does less work the longer it runs"}),
                         [](const auto& info) { return std::string(info.param.kernel); });

TEST(CheatingCandidates, ThatLeaveAProcessBehindAreCompared) {
  const Folder folder;
  const Outcome outcome = gate_of_fault(folder, "uot/fault_stray", "4");
  EXPECT_THAT(outcome.out, Not(HasSubstr("FAILED"))) << outcome.err;
  EXPECT_TRUE(fs::exists(folder / "gate.jsonl"));
  EXPECT_TRUE(fs::exists(folder / "left"));
  EXPECT_TRUE(eventually([&] { return processes_named("stray of " + folder.path().string()).empty(); }));
}

// A limit: docs/notes/details.md#what-a-worker-can-still-hide.
TEST(CheatingCandidates, ThatComputeWhenTheyLoadAreBelieved) {
  const Folder folder;
  const Outcome outcome = gate_of_fault(folder, "uot/fault_precomputed");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("improved  uot/fault_precomputed/M:12/N:7@worker"));
}

}  // namespace
}  // namespace uotbench
