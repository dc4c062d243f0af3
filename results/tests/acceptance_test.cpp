// What somebody intended and said so is no regression; what is only named like it still is.
#include "results/gate/decide/acceptance.hpp"

#include <gmock/gmock.h>

#include "results/base/error.hpp"
#include "results/tests/made_gate.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string acceptance_refusal(const std::string& text) {
  try {
    acceptance_from_trailer(text, "commit 1a2b3c4d");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(Trailer, IsACaseAndAReason) {
  const Acceptance acceptance =
      acceptance_from_trailer("  uot/map_uot/M:64/N:64\t the judge found it wrong before \n", "commit 1");
  EXPECT_EQ(acceptance.what, "uot/map_uot/M:64/N:64");
  EXPECT_EQ(acceptance.reason, "the judge found it wrong before");
  EXPECT_EQ(acceptance.by, "commit 1");
}

TEST(Trailer, NeedsBoth) {
  EXPECT_EQ(acceptance_refusal("uot/x "),
            "Perf-Accept: \"uot/x\" (commit 1a2b3c4d): the reason is missing; expected a case or a pattern, "
            "a blank, the reason");
  EXPECT_EQ(acceptance_refusal(" \n"),
            "Perf-Accept: \"\" (commit 1a2b3c4d): the case is missing; expected a case or a pattern, a "
            "blank, the reason");
}

TEST(Acceptance, NamesCasesWholeOrInPart) {
  const std::string id = "uot/map_uot/M:64/N:64/path:%2Fa@native-v4";
  const auto accepted = [&](const std::string& what) { return accepts({.what = what}, id); };
  for (const char* what : {"uot/map_uot/M:64/N:64/path:%2Fa@native-v4", "uot/map_uot/M:64/N:64/path:%2Fa",
                           "uot/map_uot", "uot/*", "*", "*_uot", "uot/*/M:64/*", "*@native-v4", "**/N:64/*"})
    EXPECT_TRUE(accepted(what)) << what;
  for (const char* what : {"", "uot/map", "uot", "uot/map_uot/M:64", "match/*", "*@native-v3", "uot/map_uot/",
                           "*M:6", "uot/map_uot@native-v4", "UOT/*"})
    EXPECT_FALSE(accepted(what)) << what;
  EXPECT_TRUE(accepts({.what = "uot/map_uot"}, "uot/map_uot@native-v4")) << "a case without axes";
}

GateReport two_regressions() {
  GateReport report;
  report.cases.push_back(made_case("a/M:1", made_time(Verdict::regressed, 1.2, "slower")));
  report.cases.push_back(made_case("b/M:1", made_time(Verdict::regressed, 1.2, "slower")));
  report.cases.push_back(made_case("c/M:1", made_time(Verdict::ok, 1.0, "equal")));
  for (auto& one : report.cases) settle(one);
  return report;
}

TEST(Acceptance, MakesARegressionOkAndSaysWhy) {
  GateReport report = two_regressions();
  apply({{.what = "uot/a", .reason = "exact now", .by = "commit 1"},
         {.what = "uot/a", .reason = "again", .by = "commit 2"}},
        report);
  EXPECT_EQ(report.cases[0].verdict, Verdict::ok);
  EXPECT_EQ(report.cases[0].accepted, "exact now (commit 1)");
  EXPECT_EQ(report.cases[0].reason, "accepted: exact now (commit 1); slower");
  EXPECT_EQ(report.cases[1].verdict, Verdict::regressed);
  EXPECT_EQ(exit_code_of(report, true), 3);
  EXPECT_THAT(report.notes, IsEmpty());
  apply({{.what = "uot/b", .reason = "too", .by = "commit 1"}}, report);
  EXPECT_EQ(exit_code_of(report, true), 0);
}

TEST(Acceptance, DoesNotCoverWhatIsMissingOrFailed) {
  GateReport report;
  report.cases.push_back({.id = "uot/a@w", .verdict = Verdict::failed, .reason = "wrong"});
  apply({{.what = "uot/a", .reason = "intended", .by = "me"}}, report);
  EXPECT_EQ(report.cases[0].verdict, Verdict::failed);
  EXPECT_THAT(report.notes, ElementsAre("accepted by me, \"uot/a\": nothing of it regressed"));
}

TEST(Acceptance, IsANoteWhereItIsOfNoUse) {
  GateReport report = two_regressions();
  apply({{.what = "uot/typo", .reason = "x", .by = "commit 1"},
         {.what = "uot/c", .reason = "x", .by = "commit 2"}},
        report);
  EXPECT_THAT(report.notes, ElementsAre("accepted by commit 1, \"uot/typo\": no case is named like that",
                                        "accepted by commit 2, \"uot/c\": nothing of it regressed"));
  EXPECT_FALSE(report.cases[2].accepted);
}

}  // namespace
}  // namespace uotbench
