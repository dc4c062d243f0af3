// Only like is compared with like, every case that is not is named, and processes are the unit.
#include "results/view/compare.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "results/base/error.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/tests/made_record.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Record timed(const std::string& variant, const Json& point, const std::string& worker,
             const std::vector<double>& rounds) {
  return timed_record(variant, point, worker, rounds);
}

/// A run with its view.
struct Viewed {
  explicit Viewed(std::vector<Record> records)
      : run{.path = "x.jsonl",
            .header = made_header({{"kind", "run"}, {"problem_axes", {{"uot", {"M"}}}}}),
            .records = std::move(records),
            .resumes = {},
            .end = {},
            .unfinished = {},
            .warnings = {}},
        view(view_of(run)) {}
  Run run;
  RunView view;
};

template <class Error, class Callable>
std::string message(Callable&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no such error";
}

TEST(Compare, JoinsRunsByIdAndNamesTheRest) {
  const Viewed a({timed("uot/x", {{"M", 8}}, "w", {1, 1, 1}), timed("uot/y", {{"M", 8}}, "w", {1, 1, 1})});
  const Viewed b({timed("uot/x", {{"M", 8}}, "w", {2, 2, 2}), timed("uot/x", {{"M", 9}}, "w", {1, 1, 1})});
  const auto comparison = compare_runs(a.view, b.view);
  ASSERT_THAT(comparison.rows, SizeIs(1));
  EXPECT_EQ(comparison.rows[0].ratio(), 2);
  EXPECT_TRUE(json_of(comparison)["rows"][0]["coverage"].is_null()) << "two runs have a level each";
  ASSERT_THAT(comparison.unmatched, SizeIs(2));
  EXPECT_THAT(comparison.unmatched[0].cases, ElementsAre("uot/y/M:8@w"));
  EXPECT_THAT(comparison.unmatched[1].cases, ElementsAre("uot/x/M:9@w"));
}

TEST(Compare, IgnoresTheWorkerWhereThatIsClear) {
  const Viewed a({timed("uot/x", {{"M", 8}}, "v3", {2})}), b({timed("uot/x", {{"M", 8}}, "v4", {1})});
  EXPECT_THROW(compare_runs(a.view, b.view), NotComparable);
  EXPECT_EQ(compare_runs(a.view, b.view, true).rows.at(0).ratio(), 0.5);
  const Viewed both({timed("uot/x", {{"M", 8}}, "v3", {2}), timed("uot/x", {{"M", 8}}, "v4", {1})});
  EXPECT_EQ(
      message<UsageError>([&] { compare_runs(a.view, both.view, true); }),
      "--ignore worker: x.jsonl has uot/x/M:8 in several workers (v3, v4); compare them with --vary worker");
}

// Rounds are interleaved, so what slows one round slows both sides of it.
TEST(Compare, PairsRoundsWithinARunOnly) {
  const std::vector<double> drift{1, 2, 4}, slower{1.5, 3, 6};
  const Viewed one({timed("uot/x", {{"M", 8}}, "v3", drift), timed("uot/x", {{"M", 8}}, "v4", slower)});
  const auto within = compare_within(one.view, "worker").rows.at(0);
  EXPECT_EQ(within.interval->low, 1.5);
  EXPECT_EQ(within.interval->high, 1.5);
  EXPECT_EQ(within.coverage, 0.75);
  const Viewed a({timed("uot/x", {{"M", 8}}, "w", drift)}), b({timed("uot/x", {{"M", 8}}, "w", slower)});
  const auto between = compare_runs(a.view, b.view).rows.at(0);
  EXPECT_EQ(between.interval->low, 1.5 / 4);
  EXPECT_EQ(between.interval->high, 6);
}

// A round without samples on one side is no pair; it does not shift the others.
TEST(Compare, PairsTheSameRounds) {
  auto left = timed("uot/x", {{"M", 8}}, "v3", {1, 1, 1});
  left.time->processes[1].samples.clear();
  const Viewed run({left, timed("uot/x", {{"M", 8}}, "v4", {2, 100, 3})});
  const auto row = compare_within(run.view, "worker").rows.at(0);
  EXPECT_EQ(row.interval->low, 2);
  EXPECT_EQ(row.interval->high, 3);
  EXPECT_EQ(row.coverage, 0.5);
}

TEST(Compare, VariesAnAxisWithAllElseEqual) {
  const Viewed run({timed("uot/x", {{"M", 8}, {"threads", 1}}, "w", {4, 4}),
                    timed("uot/x", {{"M", 8}, {"threads", 2}}, "w", {2, 2}),
                    timed("uot/x", {{"M", 8}, {"threads", 4}}, "w", {1, 1}),
                    timed("uot/x", {{"M", 9}, {"threads", 2}}, "w", {1, 1}),
                    timed("uot/y", {{"M", 8}}, "w", {1})});
  const auto comparison = compare_within(run.view, "threads");
  ASSERT_THAT(comparison.rows, SizeIs(2));
  EXPECT_EQ(comparison.rows[1].value, "4");
  EXPECT_EQ(comparison.rows[1].ratio(), 0.25);
  EXPECT_THAT(comparison.unmatched, SizeIs(2)) << "one without the axis, one without its base";
  EXPECT_EQ(compare_within(run.view, "threads", "4").rows.at(0).ratio(), 4);
  EXPECT_EQ(message<UsageError>([&] { compare_within(run.view, "threads", "3"); }),
            "--base 3: threads has no such value here; there are: 1, 2, 4");
  EXPECT_EQ(message<UsageError>([&] { compare_within(run.view, "rows"); }),
            "--vary rows: no case has this axis; there are: worker, variant, M, threads");
}

// A variant's own axes are part of what it is; threads are part of what must be equal.
TEST(Compare, VariesVariantsWithTheirOwnAxes) {
  const Viewed run({timed("uot/x", {{"M", 8}, {"threads", 1}}, "w", {8}),
                    timed("uot/x", {{"M", 8}, {"threads", 2}}, "w", {6}),
                    timed("uot/r", {{"M", 8}, {"threads", 1}, {"rows", 4}}, "w", {4}),
                    timed("uot/r", {{"M", 8}, {"threads", 1}, {"rows", 8}}, "w", {2}),
                    timed("uot/r", {{"threads", 2}, {"M", 8}, {"rows", 8}}, "w", {3})});
  const auto comparison = compare_within(run.view, "variant");
  EXPECT_EQ(comparison.a, "x");
  std::vector<std::string> seen;
  for (const auto& row : comparison.rows)
    seen.push_back(row.label + " = " + std::to_string(row.ratio()).substr(0, 4));
  EXPECT_THAT(seen, ElementsAre("r threads:1 rows:4 = 0.50", "r threads:1 rows:8 = 0.25",
                                "r threads:2 rows:8 = 0.50"));
  ASSERT_THAT(comparison.means, SizeIs(2));
  EXPECT_EQ(comparison.means[1].value, "r rows:8");
  EXPECT_NEAR(comparison.means[1].ratio, std::sqrt(0.25 * 0.5), 1e-12);
  EXPECT_THAT(comparison.unmatched, IsEmpty());
}

// POT runs in Python, our variants in C++: the worker that lacks the base is compared with the other's.
TEST(Compare, VariesVariantsAcrossWorkersWhereOneLacksTheBase) {
  const Viewed run(
      {timed("uot/ours", {{"M", 8}}, "native", {2, 2}), timed("uot/other", {{"M", 8}}, "native", {3, 3}),
       timed("uot/pot", {{"M", 8}}, "python", {8, 8}), timed("uot/pot", {{"M", 9}}, "python", {8, 8})});
  const auto comparison = compare_within(run.view, "variant");
  ASSERT_THAT(comparison.rows, SizeIs(2));
  EXPECT_EQ(comparison.rows[0].value, "other");
  EXPECT_EQ(comparison.rows[1].value, "pot @python");
  EXPECT_EQ(comparison.rows[1].ratio(), 4);
  ASSERT_TRUE(comparison.rows[1].interval.has_value());
  EXPECT_THAT(comparison.notes,
              testing::Contains("python has no ours: its cases are compared with native's"));
  ASSERT_THAT(comparison.unmatched, SizeIs(1));
  EXPECT_THAT(comparison.unmatched[0].cases, ElementsAre("uot/pot/M:9@python"));
  const auto over_pot = compare_within(run.view, "variant", "uot/pot");
  ASSERT_THAT(over_pot.rows, SizeIs(2));
  EXPECT_EQ(over_pot.rows[0].ratio(), .25);
}

Record with_input(Record record, const std::string& content) {
  record.input_files = {{"p/K.npy", content}};
  return record;
}

TEST(Compare, JoinsNoCasesOfDifferentInputFiles) {
  const Record x = timed("uot/x", {{"M", 8}}, "w", {1, 1, 1}), y = timed("uot/y", {{"M", 8}}, "w", {1, 1, 1});
  const Viewed a({with_input(x, "1"), with_input(y, "1")}), b({with_input(x, "2"), with_input(y, "1")});
  const auto comparison = compare_runs(a.view, b.view);
  ASSERT_THAT(comparison.rows, SizeIs(1));
  ASSERT_THAT(comparison.unmatched, SizeIs(1));
  EXPECT_EQ(comparison.unmatched[0].why, "measured with different input files");
  EXPECT_THAT(comparison.unmatched[0].cases, ElementsAre("uot/x/M:8@w (p/K.npy)"));
  EXPECT_THAT(compare_runs(a.view, Viewed({x, y}).view).rows, SizeIs(2)) << "files of old do not say";
}

TEST(Compare, OfOneRunSaysWhichCasesHaveOtherInputFiles) {
  const Record x = timed("uot/x", {{"M", 8}}, "w", {1, 1, 1}), y = timed("uot/y", {{"M", 8}}, "w", {1, 1, 1}),
               z = timed("uot/z", {{"M", 8}}, "w", {1, 1, 1});
  const Viewed run({with_input(x, "1"), with_input(y, "2"), with_input(z, "1")});
  ASSERT_THAT(run.view.groups, SizeIs(2)) << "no speedup over another problem";
  EXPECT_THAT(run.view.groups[0].cases, SizeIs(2));
  EXPECT_EQ(run.view.groups[1].title, "uot  M:8  @w  (p/K.npy changed)");
  EXPECT_THAT(
      run.view.warnings,
      testing::Contains("p/K.npy changed between cases of one problem, which are not compared with each "
                        "other: uot  M:8  @w"));
  const auto comparison = compare_within(run.view, "variant", {});
  EXPECT_THAT(comparison.rows, SizeIs(1));
  ASSERT_THAT(comparison.unmatched, SizeIs(1));
  EXPECT_THAT(comparison.unmatched[0].cases, ElementsAre("uot/y/M:8@w (p/K.npy)"));
  EXPECT_THAT(Viewed({x, with_input(y, "1")}).view.groups, SizeIs(1)) << "files of old do not say";
}

TEST(Compare, NamesASolveOfUnknownIterations) {
  Record one = timed("uot/x", {{"M", 8}}, "w", {1, 1}), other = timed("uot/y", {{"M", 8}}, "w", {2, 2});
  const Record beside = timed("uot/z", {{"M", 8}}, "w", {1, 1});
  one.time->per = other.time->per = Unit::solve;
  one.time->iterations = 3;
  const auto comparison = compare_within(Viewed({one, other, beside}).view, "variant", {});
  ASSERT_THAT(comparison.unmatched, SizeIs(1));
  EXPECT_EQ(comparison.unmatched[0].why,
            "no time per iteration: a solve did not report its number of iterations");
  EXPECT_THAT(comparison.unmatched[0].cases, ElementsAre("uot/y/M:8@w"));
}

}  // namespace
}  // namespace uotbench
