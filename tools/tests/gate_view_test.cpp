// A gate's text: silent of what is ok, and plain about the rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/base/json.hpp"
#include "tools/uotbench/views/gate.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::Not;

GateReport report() {
  GateReport report{.sweep = "gate", .started = "", .run = "", .baseline = {}, .candidate = {}};
  GateCase fine, slow;
  fine.id = "uot/fine/M:4/N:4@worker";
  fine.verdict = Verdict::ok;
  fine.time = TimeVerdict{.verdict = Verdict::ok, .reason = "no change found", .ratio = 1};
  fine.reason = "no change found";
  slow = fine;
  slow.id = "uot/slow/M:4/N:4@worker";
  slow.verdict = Verdict::regressed;
  slow.reason = "1.104x (1.092 to 1.117), confirmed";
  report.cases = {fine, slow};
  report.warnings = {"the clock is slow"};
  report.elapsed = 65;
  return report;
}

TEST(GateView, NamesOnlyWhatIsNotOk) {
  const std::string text = text_of(report());
  EXPECT_THAT(text, Not(HasSubstr("uot/fine")));
  EXPECT_THAT(text,
              HasSubstr("REGRESSED  uot/slow/M:4/N:4@worker\n    1.104x (1.092 to 1.117), confirmed\n"));
  EXPECT_THAT(text, HasSubstr("warning: the clock is slow\n"));
  EXPECT_THAT(text, HasSubstr("(1m05s)\n"));
}

TEST(GateView, SaysTheTimeWhereACounterDecides) {
  GateReport counted = report();
  GateCase& slow = counted.cases[1];
  slow.reason = "L1D.misses 10 -> 20 (+100.0%, trace)";
  slow.time =
      TimeVerdict{.verdict = Verdict::ok, .ratio = 1.01, .interval = ConfidenceInterval{1, 1.02, 0.95}};
  slow.baseline_seconds = 0.01;
  slow.candidate_seconds = 0.0101;
  EXPECT_THAT(text_of(counted),
              HasSubstr("    L1D.misses 10 -> 20 (+100.0%, trace)\n    time 1.010x (1.000 to "
                        "1.020), 10.00 ms -> 10.10 ms: ok\n"));
  slow.reason = "time 1.010x (1.000 to 1.020), confirmed";
  EXPECT_THAT(text_of(counted), Not(HasSubstr("10.00 ms"))) << "said once";
}

TEST(GateView, MoreNoiseTakesMorePairs) {
  const GateRules rules;
  const auto quiet = pairs_to_find(1.10, 0.02, rules), noisy = pairs_to_find(1.10, 0.10, rules);
  ASSERT_TRUE(quiet && noisy);
  EXPECT_GE(*quiet, fewest_pairs(rules, 1));
  EXPECT_GT(*noisy, *quiet);
  EXPECT_EQ(pairs_to_find(1.03, 0.02, rules), std::nullopt);  // within delta: never
}

TEST(GateView, APlanSaysWhatCannotBeTimed) {
  const GatePlanRow timed{.id = "uot/a@worker", .process = 0.2, .noise = 0.02, .obstacle = {}},
      not_timed{.id = "uot/b@worker", .process = 0, .noise = {}, .obstacle = "it crashed"};
  const std::string text = plan_text({timed, not_timed}, {}, {});
  EXPECT_THAT(text, HasSubstr("it crashed"));
  EXPECT_THAT(text, HasSubstr("24 pairs of each case take 10s"));
  const Json json = plan_json({timed, not_timed}, {});
  EXPECT_EQ(json.at("cases").at(1).at("obstacle"), "it crashed");
  EXPECT_DOUBLE_EQ(json.at("screen").get<double>(), 2 * 24 * 0.2);
}

}  // namespace
}  // namespace uotbench
