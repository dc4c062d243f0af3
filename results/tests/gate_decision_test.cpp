// Who is accused, who is not, and what is said of them, on times whose truth is known.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "results/base/error.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/tests/gate_noise.hpp"
#include "results/tests/gate_replay.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

struct Truth {
  double slowdown = 1;
  double noise = 0.01;  ///< of a process
  double of_copy = 1;
  double swing = 1;  ///< every other candidate is so many times slower, the others faster
};

class GateDecisionTest : public testing::Test {
 protected:
  std::vector<PairedTimes> pairs(const Truth& truth, std::size_t count) {
    std::vector<PairedTimes> made(count);
    const auto time = [&](double slowdown) {
      return 1e-3 * slowdown * std::exp(truth.noise * dice.normal());
    };
    for (std::size_t i = 0; i < count; ++i)
      made[i] = {.baseline = time(1),
                 .candidate = time(truth.slowdown * (i % 2 ? truth.swing : 1 / truth.swing)),
                 .control = time(truth.of_copy)};
    return made;
  }
  /// Everything that is wanted now, with at most `most` pairs a case; the case's number is in `truths`.
  void look(GateDecision& decision, const std::vector<Truth>& truths, std::size_t most = 1000) {
    std::vector<std::vector<PairedTimes>> measured;
    for (const auto& one : decision.wanted())
      measured.push_back(pairs(truths[one.which], std::min(most, one.pairs)));
    decision.look(measured);
  }
  GateDecision decided(const std::vector<Truth>& truths, const GateRules& rules = {}) {
    GateDecision decision(rules, truths.size());
    for (int looks = 0; !decision.wanted().empty() && looks < 100; ++looks) look(decision, truths);
    return decision;
  }
  TimeVerdict verdict(const GateDecision& decision, std::size_t which) {
    return decision.verdicts().at(which).value();
  }

  Dice dice{42};
};

TEST_F(GateDecisionTest, ASlowdownIsConfirmedByFreshPairs) {
  const auto decision = decided({{}, {.slowdown = 1.1}, {}});
  const auto slow = verdict(decision, 1);
  EXPECT_EQ(slow.verdict, Verdict::regressed);
  EXPECT_NEAR(slow.ratio, 1.1, 0.01);
  ASSERT_TRUE(slow.interval);
  EXPECT_LT(slow.interval->low, slow.ratio);
  EXPECT_GT(slow.interval->high, slow.ratio);
  EXPECT_EQ(slow.pairs, 48u);
  EXPECT_EQ(slow.confirming, 24u);
  EXPECT_LT(slow.p.value(), 1e-5);
  EXPECT_THAT(slow.reason,
              testing::MatchesRegex("1\\.[01][0-9]+x \\([0-9.]+ to [0-9.]+\\), confirmed by 24 fresh pairs, "
                                    "p = [0-9]e-[0-9]+"));
  for (const std::size_t which : {0, 2}) EXPECT_EQ(verdict(decision, which).verdict, Verdict::ok);
  EXPECT_FALSE(decision.control());
  EXPECT_FALSE(decision.control_case());
}

TEST_F(GateDecisionTest, AnImprovementIsConfirmedLikewise) {
  const auto fast = verdict(decided({{.slowdown = 0.9}}), 0);
  EXPECT_EQ(fast.verdict, Verdict::improved);
  EXPECT_NEAR(fast.ratio, 0.9, 0.01);
  EXPECT_THAT(fast.reason, HasSubstr("confirmed by 24 fresh pairs"));
}

TEST_F(GateDecisionTest, OkSaysWhatWouldHaveBeenFound) {
  const auto same = verdict(decided({{.noise = 0.02}}), 0);
  EXPECT_EQ(same.verdict, Verdict::ok);
  EXPECT_EQ(same.pairs, 24u);
  EXPECT_EQ(same.confirming, 0u);
  EXPECT_FALSE(same.p);
  EXPECT_NEAR(same.noise.value(), 0.02 * std::sqrt(2.), 0.015);
  ASSERT_TRUE(same.detectable);
  EXPECT_NEAR(*same.detectable, 1.046, 0.015);
  EXPECT_THAT(same.reason,
              testing::MatchesRegex(
                  "no change found in 24 pairs: [01]\\.[0-9]+x \\([01]\\.[0-9]+ to [01]\\.[0-9]+\\); "
                  "1\\.0[0-9]+x would have been"));
}

TEST_F(GateDecisionTest, AChangeWithinDeltaIsNone) {
  const auto decision = decided({{.slowdown = 1.02, .noise = 0.005}, {.slowdown = 0.98, .noise = 0.005}});
  for (const std::size_t which : {0, 1}) EXPECT_EQ(verdict(decision, which).verdict, Verdict::ok);
}

TEST_F(GateDecisionTest, WhatIsTooNoisyIsExtendedThenInconclusive) {
  GateDecision decision({}, 1);
  const std::vector<Truth> truth = {{.swing = 1.5}};
  for (int looks = 1; looks <= 4; ++looks) {
    ASSERT_THAT(decision.wanted(), SizeIs(1)) << looks;
    EXPECT_EQ(decision.wanted()[0].pairs, 24u);
    EXPECT_FALSE(decision.wanted()[0].control);
    EXPECT_THAT(looks == 1 ? "still measured" : verdict(decision, 0).reason, StartsWith("still measured"));
    look(decision, truth);
  }
  EXPECT_THAT(decision.wanted(), IsEmpty());
  const auto noisy = verdict(decision, 0);
  EXPECT_EQ(noisy.verdict, Verdict::inconclusive);
  EXPECT_EQ(noisy.pairs, 96u);
  EXPECT_THAT(noisy.reason, StartsWith("too noisy: "));
  EXPECT_THAT(noisy.reason, HasSubstr("in 96 pairs, neither a change nor surely below 1.100x; "));
}

// The family of Holm's test has to be known before its first p is judged.
TEST_F(GateDecisionTest, AllAreScreenedBeforeAnyIsConfirmed) {
  GateDecision decision({}, 2);
  const std::vector<Truth> truths = {{.slowdown = 1.3}, {.swing = 1.5}};
  look(decision, truths);
  ASSERT_THAT(decision.wanted(), SizeIs(1)) << "the slow one is flagged and waits";
  EXPECT_EQ(decision.unconfirmed(), 1u) << "who ends now must know of it";
  EXPECT_EQ(decision.wanted()[0].which, 1u);
  EXPECT_THAT(verdict(decision, 0).reason, StartsWith("seemed slower, not confirmed: still measured: 1.3"));
  for (int looks = 2; looks <= 4; ++looks) look(decision, truths);
  ASSERT_THAT(decision.wanted(), SizeIs(1));
  EXPECT_EQ(decision.wanted()[0].which, 0u);
  EXPECT_TRUE(decision.wanted()[0].control);
  look(decision, truths);
  EXPECT_THAT(decision.wanted(), IsEmpty());
  EXPECT_EQ(decision.unconfirmed(), 0u);
  EXPECT_EQ(verdict(decision, 0).verdict, Verdict::regressed);
}

TEST_F(GateDecisionTest, ALookThatWasCutBeforeItsFirstPairSaysNothing) {
  GateDecision decision({}, 2);
  decision.look({{}, {{.baseline = 1, .candidate = 1, .control = {}}}});
  decision.end("the budget was spent");
  EXPECT_FALSE(decision.verdicts().at(0));
  EXPECT_EQ(verdict(decision, 1).verdict, Verdict::inconclusive);
  EXPECT_EQ(decision.unconfirmed(), 0u);
}

// What looked slow by chance looks it no more in fresh pairs.
TEST_F(GateDecisionTest, WhatFreshPairsDoNotConfirmIsJudgedByAll) {
  GateDecision decision({}, 2);
  look(decision, {{.slowdown = 1.1}, {.slowdown = 1.1, .noise = 0.02}});
  const std::vector<Truth> truths = {{}, {.swing = 1.5}};
  for (const std::size_t pairs : {24u, 24u, 24u, 24u, 24u}) {
    ASSERT_THAT(decision.wanted(), SizeIs(2));
    EXPECT_EQ(decision.wanted()[0].pairs, pairs);
    look(decision, truths);
  }
  EXPECT_THAT(decision.wanted(), IsEmpty());
  const auto fine = verdict(decision, 0), noisy = verdict(decision, 1);
  EXPECT_EQ(fine.verdict, Verdict::ok);
  EXPECT_EQ(fine.pairs, 144u);
  EXPECT_EQ(fine.confirming, 120u);
  EXPECT_THAT(fine.reason, StartsWith("seemed slower, but 120 fresh pairs did not confirm it (p = 1): 1.0"));
  EXPECT_EQ(noisy.verdict, Verdict::inconclusive);
  EXPECT_THAT(noisy.reason, HasSubstr(", not surely below 1.100x"));
}

// The ratio of what was flagged would be exaggerated: only fresh pairs make it.
TEST_F(GateDecisionTest, ARegressionsRatioIsOfFreshPairsAlone) {
  GateDecision decision({}, 1);
  look(decision, {{.slowdown = 1.5}});
  look(decision, {{.slowdown = 1.1}});
  EXPECT_NEAR(verdict(decision, 0).ratio, 1.1, 0.01);
  EXPECT_LT(verdict(decision, 0).interval->high, 1.12);
}

TEST_F(GateDecisionTest, ACopyThatDiffersSpoilsTheSession) {
  const auto decision = decided({{.slowdown = 1.2}, {.slowdown = 1.2, .of_copy = 1.1}, {}});
  ASSERT_EQ(decision.control_case(), 1u);
  EXPECT_THAT(*decision.control(),
              testing::MatchesRegex("a copy of the baseline took 1\\.1[0-9]+x \\(.*\\) the "
                                    "baseline's time in 24 pairs"));
  for (const std::size_t which : {0, 1}) {
    const auto slow = verdict(decision, which);
    EXPECT_EQ(slow.verdict, Verdict::inconclusive);
    EXPECT_THAT(slow.reason, HasSubstr("confirmed by 24 fresh pairs, but a copy of the baseline differed"));
  }
  EXPECT_EQ(verdict(decision, 2).verdict, Verdict::ok);
}

TEST_F(GateDecisionTest, AFasterCopySpoilsItToo) {
  EXPECT_EQ(decided({{.slowdown = 1.2, .of_copy = 0.9}}).control_case(), 0u);
}

TEST_F(GateDecisionTest, MoreFlaggedCasesNeedStrongerEvidence) {
  GateDecision alone({}, 1), many({}, 50);
  const std::vector<Truth> slow(50, {.slowdown = 1.3});
  look(alone, slow);
  look(many, slow);
  dice = Dice(7);
  look(alone, {{.slowdown = 1.06, .noise = 0.03}});
  dice = Dice(7);
  look(many, std::vector<Truth>(50, {.slowdown = 1.06, .noise = 0.03}));
  EXPECT_GT(verdict(many, 0).p.value(), 2 * verdict(alone, 0).p.value());
}

TEST_F(GateDecisionTest, AtTheEndTheUndecidedAreInconclusiveAndTheConfirmedStay) {
  GateDecision decision({}, 3);
  const std::vector<Truth> truths = {{.slowdown = 1.3}, {.slowdown = 1.1}, {}};
  look(decision, truths);
  look(decision, {{.slowdown = 1.3}, {.slowdown = 1.031, .noise = 0.02}, {}});
  decision.end("the budget of 5m is spent");
  EXPECT_THAT(decision.wanted(), IsEmpty());
  EXPECT_EQ(verdict(decision, 0).verdict, Verdict::regressed);
  EXPECT_EQ(verdict(decision, 1).verdict, Verdict::inconclusive);
  EXPECT_THAT(verdict(decision, 1).reason,
              StartsWith("seemed slower, not confirmed: the budget of 5m is spent: "));
  EXPECT_EQ(verdict(decision, 2).verdict, Verdict::ok);
}

TEST_F(GateDecisionTest, EndedBeforeAnythingWasMeasuredThereIsNoVerdict) {
  GateDecision decision({}, 1);
  decision.end("interrupted");
  EXPECT_FALSE(decision.verdicts().at(0));
  EXPECT_THAT(decision.wanted(), IsEmpty());
  decision.look({});
}

TEST_F(GateDecisionTest, WhatEndsInTheScreenSaysWhy) {
  GateDecision decision({}, 1);
  look(decision, {{.swing = 1.5}});
  decision.end("interrupted");
  EXPECT_EQ(verdict(decision, 0).verdict, Verdict::inconclusive);
  EXPECT_THAT(verdict(decision, 0).reason, StartsWith("interrupted: "));
  EXPECT_THAT(verdict(decision, 0).reason, HasSubstr(" in 24 pairs"));
}

// Two pairs that agree prove nothing: no verdict is made of what cannot have one.
TEST_F(GateDecisionTest, FewPairsDecideNothing) {
  GateDecision decision({}, 1);
  for (int looks = 0; looks < 4; ++looks) {
    ASSERT_THAT(decision.wanted(), SizeIs(1));
    look(decision, {{.slowdown = 1.02, .noise = 0.001}}, 1);
  }
  const auto few = verdict(decision, 0);
  EXPECT_EQ(few.verdict, Verdict::inconclusive);
  EXPECT_EQ(few.pairs, 4u);
  EXPECT_FALSE(few.noise);
  EXPECT_FALSE(few.detectable);
}

TEST_F(GateDecisionTest, FewPairsOfALargeSlowdownAreFlaggedButNotConfirmed) {
  GateDecision decision({}, 1);
  look(decision, {{.slowdown = 2}}, 5);
  for (int looks = 0; looks < 5; ++looks) {
    ASSERT_THAT(decision.wanted(), SizeIs(1));
    EXPECT_TRUE(decision.wanted()[0].control);
    look(decision, {{.slowdown = 2}}, 1);
  }
  EXPECT_EQ(verdict(decision, 0).verdict, Verdict::inconclusive);
}

TEST_F(GateDecisionTest, ADroppedCaseIsLeftOut) {
  GateDecision decision({}, 3);
  look(decision, {{.slowdown = 1.3}, {.slowdown = 1.3}, {.slowdown = 1.3}});
  decision.drop(1);
  ASSERT_THAT(decision.wanted(), SizeIs(2));
  EXPECT_EQ(decision.wanted()[1].which, 2u);
  look(decision, {{.slowdown = 1.3}, {}, {.slowdown = 1.3}});
  EXPECT_EQ(verdict(decision, 0).verdict, Verdict::regressed);
  EXPECT_FALSE(decision.verdicts().at(1));
  EXPECT_EQ(verdict(decision, 2).verdict, Verdict::regressed);
}

TEST_F(GateDecisionTest, NoCasesAreDecidedAtOnce) {
  EXPECT_THAT(GateDecision({}, 0).wanted(), IsEmpty());
  EXPECT_THAT(GateDecision({}, 0).verdicts(), IsEmpty());
}

std::string rules_complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST_F(GateDecisionTest, RefusesWhatIsNoTime) {
  GateDecision decision({}, 1);
  EXPECT_EQ(rules_complaint([&] { decision.look({{{.baseline = 0, .candidate = 1, .control = {}}}}); }),
            "gate: case 0: the baseline took 0 s; a time is positive");
  EXPECT_THAT(
      rules_complaint([&] { decision.look({{{.baseline = 1, .candidate = std::nan(""), .control = {}}}}); }),
      HasSubstr("the candidate took"));
  EXPECT_THAT(rules_complaint([&] { decision.look({{{.baseline = 1, .candidate = 1, .control = -1}}}); }),
              HasSubstr("the control took -1 s"));
  EXPECT_EQ(rules_complaint([&] { decision.look({}); }), "gate: measurements of 0 cases, 1 are wanted");
}

TEST_F(GateDecisionTest, RefusesRulesThatMakeNoSense) {
  const auto refused = [](auto change) {
    GateRules rules;
    change(rules);
    return rules_complaint([&] { GateDecision(rules, 1); });
  };
  EXPECT_THAT(refused([](GateRules& rules) { rules.delta = -0.1; }), HasSubstr("delta -0.1 (at least 0)"));
  EXPECT_THAT(refused([](GateRules& rules) { rules.look = 0; }), HasSubstr("0 pairs a look"));
  EXPECT_THAT(refused([](GateRules& rules) { rules.confirm_looks = 0; }), HasSubstr("looks (at least 1)"));
  EXPECT_THAT(refused([](GateRules& rules) { rules.confirm = 1; }), HasSubstr("(within 0 and 1)"));
  EXPECT_THAT(refused([](GateRules& rules) { rules.delta = 0.2; }), HasSubstr("(more than 1 + delta)"));
}

TEST(RulesFor, HaveTheDeltaOfTheirCase) {
  GateRules rules = with_delta({}, 0.04);
  EXPECT_EQ(rules.plainly_ok, 1.10);
  rules.delta_of = {{"uot/*", 0.20}, {"uot/coffee", 0.15}};
  const GateRules coffee = rules_for(rules, "uot/coffee/M:64/N:64@native-v4");
  EXPECT_EQ(coffee.delta, 0.15);
  EXPECT_EQ(coffee.plainly_ok, 1.30);
  EXPECT_EQ(rules_for(rules, "uot/gemv/M:64/N:64@native-v4").delta, 0.20);
  const GateRules other = rules_for(rules, "stencil/simd/nx:64@native-v4");
  EXPECT_EQ(other.delta, 0.04);
  EXPECT_EQ(other.plainly_ok, 1.10);
}

TEST(FewestPairs, CanFlagAndConfirm) {
  const GateRules rules;
  EXPECT_EQ(fewest_pairs(rules, 1), 9u);    // 5 · 2^-9 = 0.0098
  EXPECT_EQ(fewest_pairs(rules, 10), 13u);  // 50 · 2^-13 = 0.0061
  EXPECT_EQ(fewest_pairs(rules, 0), 9u);
}

TEST(DetectableRatio, GrowsWithNoiseAndShrinksWithPairs) {
  const GateRules rules;
  EXPECT_DOUBLE_EQ(detectable_ratio(0, 24, rules), 1.03);
  EXPECT_LT(detectable_ratio(0.02, 24, rules), detectable_ratio(0.05, 24, rules));
  EXPECT_LT(detectable_ratio(0.05, 96, rules), detectable_ratio(0.05, 24, rules));
  EXPECT_TRUE(std::isinf(detectable_ratio(0.05, 8, rules)));
}

// The promise behind "1.06x would have been": of such slowdowns about 80 in 100 are found.
TEST(DetectableRatio, IsFoundAsOftenAsItSays) {
  for (const double noise : {0.02, 0.05}) {
    GateRules rules;
    rules.screen_looks = 1;  // what was said after the first look
    const double ratio = detectable_ratio(noise, 24, rules);
    Dice dice(3);
    int found = 0;
    for (int session = 0; session < 2000; ++session) {
      const PlayedCase one{.next = [&] { return std::exp(noise / std::sqrt(2.) * dice.normal()); },
                           .slowdown = ratio};
      found += play(rules, {one}, dice).verdicts[0]->verdict == Verdict::regressed;
    }
    EXPECT_NEAR(found / 2000., 0.8, 0.05) << noise;
  }
}

}  // namespace
}  // namespace uotbench
