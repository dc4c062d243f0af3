// Every speedup is over the case that the sweep means, found for every case, and over no other.
#include "results/view/speedup.hpp"

#include <gmock/gmock.h>

#include <map>

#include "results/base/error.hpp"
#include "results/tests/made_record.hpp"
#include "results/tests/table_texts.hpp"
#include "results/view/quantity.hpp"
#include "results/view/view.hpp"

namespace uotbench {
namespace {

Record timed(const std::string& variant, const Json& point, const std::string& worker, double seconds) {
  return timed_record(variant, point, worker, {seconds});
}

Run run_of(const Json& speedup_over, std::vector<Record> records) {
  Json header{{"kind", "run"}, {"problem_axes", {{"uot", {"M", "data"}}}}};
  if (!speedup_over.is_null()) header["sweep"] = {{"speedup_over", speedup_over}};
  return {.path = "x.jsonl",
          .header = made_header(header),
          .records = std::move(records),
          .resumes = {},
          .end = {},
          .unfinished = {},
          .warnings = {}};
}

/// By id, 0 where there is none.
std::map<std::string, double> speedups(const Run& run) {
  std::map<std::string, double> all;
  for (const auto& group : view_of(run).groups)
    for (const auto& member : group.cases) all[member.record->id] = member.speedup.value_or(0);
  return all;
}

using Speedups = std::map<std::string, double>;

const std::vector<Record> grid{
    timed("uot/a", {{"M", 8}, {"threads", 1}}, "v3", 8), timed("uot/a", {{"M", 8}, {"threads", 2}}, "v3", 4),
    timed("uot/b", {{"M", 8}, {"threads", 1}}, "v3", 2), timed("uot/b", {{"M", 8}, {"threads", 2}}, "v3", 1),
    timed("uot/a", {{"M", 16}, {"threads", 1}}, "v3", 80)};

// As the paper's figure has it: everything over one thread of the reference.
TEST(Speedup, IsOverAVariantAtNamedAxes) {
  EXPECT_EQ(speedups(run_of({{"variant", "uot/a"}, {"threads", 1}}, grid)),
            (Speedups{{"uot/a/M:8/threads:1@v3", 1},
                      {"uot/a/M:8/threads:2@v3", 2},
                      {"uot/b/M:8/threads:1@v3", 4},
                      {"uot/b/M:8/threads:2@v3", 8},
                      {"uot/a/M:16/threads:1@v3", 1}}));
}

TEST(Speedup, WithoutAVariantIsOverItself) {
  EXPECT_EQ(speedups(run_of({{"threads", 1}}, grid)), (Speedups{{"uot/a/M:8/threads:1@v3", 1},
                                                                {"uot/a/M:8/threads:2@v3", 2},
                                                                {"uot/b/M:8/threads:1@v3", 1},
                                                                {"uot/b/M:8/threads:2@v3", 2},
                                                                {"uot/a/M:16/threads:1@v3", 1}}));
}

TEST(Speedup, NamesProblemAxesToo) {
  EXPECT_EQ(speedups(run_of({{"M", 8}}, grid)).at("uot/a/M:16/threads:1@v3"), 0.1);
}

TEST(Speedup, OfAVariantAloneIsAtEqualThreads) {
  EXPECT_EQ(speedups(run_of({{"variant", "uot/a"}}, grid)), (Speedups{{"uot/a/M:8/threads:1@v3", 1},
                                                                      {"uot/a/M:8/threads:2@v3", 1},
                                                                      {"uot/b/M:8/threads:1@v3", 4},
                                                                      {"uot/b/M:8/threads:2@v3", 4},
                                                                      {"uot/a/M:16/threads:1@v3", 1}}));
  EXPECT_EQ(speedups(run_of({{"variant", "uot/a"}}, grid)), speedups(run_of(nullptr, grid)))
      << "none named: the group's first";
}

// Over itself a variant keeps its tunables: eight rows are not compared with four.
TEST(Speedup, OverItselfKeepsOwnAxes) {
  const auto run =
      run_of({{"threads", 1}}, {timed("uot/r", {{"M", 8}, {"threads", 1}, {"rows", 4}}, "v3", 9),
                                timed("uot/r", {{"M", 8}, {"threads", 1}, {"rows", 8}}, "v3", 6),
                                timed("uot/r", {{"M", 8}, {"threads", 2}, {"rows", 8}}, "v3", 3)});
  EXPECT_EQ(speedups(run).at("uot/r/M:8/threads:2/rows:8@v3"), 2);
}

// A reference with an own axis that others lack is found by them.
TEST(Speedup, NamesAnAxisThatOnlyTheReferenceHas) {
  const auto run =
      run_of({{"variant", "uot/g"}, {"blas", "eigen"}},
             {timed("uot/g", {{"M", 8}, {"blas", "system"}}, "v3", 100),
              timed("uot/g", {{"M", 8}, {"blas", "eigen"}}, "v3", 6), timed("uot/a", {{"M", 8}}, "v3", 3)});
  EXPECT_EQ(speedups(run).at("uot/a/M:8@v3"), 2);
}

TEST(Speedup, IsOverAnotherWorker) {
  const auto run =
      run_of({{"worker", "v3"}}, {timed("uot/a", {{"M", 8}}, "v3", 4), timed("uot/a", {{"M", 8}}, "v4", 2),
                                  timed("uot/b", {{"M", 8}}, "v4", 1)});
  EXPECT_EQ(speedups(run), (Speedups{{"uot/a/M:8@v3", 1}, {"uot/a/M:8@v4", 2}, {"uot/b/M:8@v4", 0}}));
}

// One's own worker lacks the reference: the only worker that has it is meant, and a note says so.
TEST(Speedup, IsOverTheOnlyWorkerThatHasTheReference) {
  const std::vector<Record> records{timed("uot/a", {{"M", 8}}, "v4", 4), timed("uot/b", {{"M", 8}}, "v4", 1),
                                    timed("uot/mine", {{"M", 8}}, "mine", 2)};
  for (const Json& over : {Json{{"variant", "uot/a"}}, Json(nullptr)}) {
    const auto run = run_of(over, records);
    EXPECT_EQ(speedups(run), (Speedups{{"uot/a/M:8@v4", 1}, {"uot/b/M:8@v4", 4}, {"uot/mine/M:8@mine", 2}}));
    EXPECT_THAT(view_of(run).notes, testing::ElementsAre("speedups of mine are over uot/a@v4"));
    EXPECT_EQ(view_of(run).next, "");
  }
  auto both = records;
  both.push_back(timed("uot/a", {{"M", 8}}, "mine", 6));
  EXPECT_EQ(speedups(run_of({{"variant", "uot/a"}}, both)).at("uot/mine/M:8@mine"), 3) << "its own first";
}

// Of several workers nobody knows which is meant: the note names the flag, and `next` the command.
// One of one's own has perhaps no axis but the sizes: what it does not tell has its default.
TEST(Speedup, AWorkerNeedNotKnowAllSettings) {
  const Json warm{{"M", 8}, {"threads", 1}, {"place", "close"}, {"cache", "warm"}},
      cold{{"M", 8}, {"threads", 1}, {"place", "close"}, {"cache", "cold"}};
  auto run = run_of({{"variant", "uot/a"}}, {timed("uot/a", cold, "v4", 8), timed("uot/a", warm, "v4", 4),
                                             timed("uot/mine", {{"M", 8}}, "mine", 2)});
  EXPECT_EQ(speedups(run).at("uot/mine/M:8@mine"), 2);
  edited(run.header)["sweep"] = {{"speedup_over", {{"variant", "uot/a"}, {"cache", "warm"}}}};
  EXPECT_EQ(speedups(run).at("uot/mine/M:8@mine"), 2);
  edited(run.header)["sweep"] = {{"speedup_over", {{"variant", "uot/a"}, {"cache", "cold"}}}};
  EXPECT_EQ(speedups(run).at("uot/mine/M:8@mine"), 4);
  edited(run.header)["sweep"] = {{"speedup_over", {{"variant", "uot/mine"}}}};
  EXPECT_EQ(speedups(run).at(run.records[1].id), .5);
  EXPECT_EQ(speedups(run).at(run.records[0].id), 0) << "nobody timed mine in cold caches";
}

TEST(Speedup, OverOneOfSeveralWorkersIsAskedFor) {
  const auto run = run_of({{"variant", "uot/a"}},
                          {timed("uot/a", {{"M", 8}}, "v3", 4), timed("uot/a", {{"M", 8}}, "v4", 3),
                           timed("uot/x", {{"M", 8}}, "mine", 2), timed("uot/y", {{"M", 8}}, "mine", 2)});
  const auto view = view_of(run);
  EXPECT_EQ(speedups(run).at("uot/x/M:8@mine"), 0);
  EXPECT_THAT(view.notes, testing::ElementsAre("no speedup of 2 cases: uot/a is in v3, v4, but not in mine; "
                                               "--speedup-over uot/a@v3 chooses one"));
  EXPECT_EQ(view.next, "uotbench show x.jsonl --speedup-over uot/a@v3");
  const auto chosen = view_of(run, Json{{"variant", "uot/a"}, {"worker", "v4"}});
  EXPECT_EQ(chosen.groups[0].cases[2].speedup, 1.5);
  EXPECT_EQ(chosen.next, "");
}

TEST(Speedup, ThatIsMissingHasAReason) {
  Record failed = timed("uot/a", {{"M", 8}}, "v3", 4), skipped = failed;
  failed.status = Status::failed, failed.time.reset();
  skipped.status = Status::skipped, skipped.time.reset();
  const Record b = timed("uot/b", {{"M", 8}}, "v3", 2), c = timed("uot/c", {{"M", 8}}, "v3", 2);
  const auto notes = [](const uotbench::Run& of) { return view_of(of).notes; };
  const auto run = run_of({{"variant", "uot/a"}}, {failed, b, c});
  EXPECT_THAT(notes(run), testing::ElementsAre("no speedup of 2 cases: their reference, uot/a@v3, failed"));
  EXPECT_EQ(view_of(run).next, "uotbench compare x.jsonl --vary variant");
  EXPECT_EQ(view_of(run).groups[0].cases[1].no_speedup, "their reference, uot/a@v3, failed");
  EXPECT_THAT(json_of(view_of(run)).at("cases").at(2).at("no_speedup"), "their reference, uot/a@v3, failed");
  EXPECT_THAT(notes(run_of({{"variant", "uot/a"}}, {skipped, b})),
              testing::ElementsAre("no speedup of 1 case: uot/a was skipped"));
  EXPECT_THAT(notes(run_of({{"variant", "uot/a"}}, {timed("uot/a", {{"M", 16}}, "v3", 4), b})),
              testing::ElementsAre("no speedup of 1 case: no case of uot/a in v3 has their problem and "
                                   "settings"));
}

// Two processes of a thread stand beside two threads of the worker that is one process, on as many CPUs.
TEST(Speedup, OverAnotherWorkerIsOfAsManyCpus) {
  const auto of = [](const Json& over) {
    auto run = run_of(over, {timed("uot/a", {{"M", 8}, {"threads", 1}}, "one", 8),
                             timed("uot/a", {{"M", 8}, {"threads", 4}}, "one", 4),
                             timed("uot/a", {{"M", 8}, {"threads", 1}, {"ranks", 1}}, "mpi", 16),
                             timed("uot/a", {{"M", 8}, {"threads", 2}, {"ranks", 2}}, "mpi", 2),
                             timed("uot/a", {{"M", 8}, {"threads", 1}, {"ranks", 4}}, "mpi", 1),
                             timed("uot/b", {{"M", 8}, {"threads", 1}, {"ranks", 4}}, "mpi", .5)});
    edited(run.header)["axis_roles"] = {{"uot", {{"threads", "setting"}, {"ranks", "setting"}}}};
    return speedups(run);
  };
  const auto over_one = of({{"variant", "uot/a"}, {"worker", "one"}});
  EXPECT_EQ(over_one.at("uot/a/M:8/threads:1/ranks:1@mpi"), .5);
  EXPECT_EQ(over_one.at("uot/a/M:8/threads:2/ranks:2@mpi"), 2);
  EXPECT_EQ(over_one.at("uot/a/M:8/threads:1/ranks:4@mpi"), 4);
  EXPECT_EQ(over_one.at("uot/b/M:8/threads:1/ranks:4@mpi"), 8);
  const auto over_a = of({{"variant", "uot/a"}});
  EXPECT_EQ(over_a.at("uot/b/M:8/threads:1/ranks:4@mpi"), 2) << "within a worker all settings are equal";
  const auto over_first = of({{"worker", "one"}, {"threads", 1}, {"ranks", 1}});
  EXPECT_EQ(over_first.at("uot/a/M:8/threads:2/ranks:2@mpi"), 4);
  EXPECT_EQ(over_first.at("uot/a/M:8/threads:4@one"), 2);
  EXPECT_EQ(of({{"worker", "mpi"}, {"variant", "uot/a"}}).at("uot/a/M:8/threads:4@one"), .5)
      << "the first of as many CPUs";
}

// The order of axes in a record and 1 for 1.0 change nothing.
TEST(Speedup, ComparesValuesNotSpelling) {
  const auto run =
      run_of({{"variant", "uot/a"}, {"fi", 1}},
             {timed("uot/a", {{"M", 8}, {"cache", "warm"}, {"threads", 1}, {"fi", 1.0}}, "w", 4),
              timed("uot/b", {{"fi", 0.5}, {"threads", 1}, {"cache", "warm"}, {"M", 8}}, "w", 2)});
  EXPECT_EQ(speedups(run).at("uot/b/fi:0.5/threads:1/cache:warm/M:8@w"), 2);
}

Record solved(const std::string& variant, double seconds, std::int64_t iterations) {
  Record record = timed(variant, {{"M", 8}}, "v3", seconds);
  record.time->per = Unit::solve;
  record.time->iterations = iterations;
  return record;
}

// A solve against a solve is what both took; against an iteration only its own iterations say something.
TEST(Speedup, OfSolvesIsOfSolvesAndElseOfAnIteration) {
  const auto solves = run_of({{"variant", "uot/s"}}, {solved("uot/s", 8, 100), solved("uot/fast", 2, 10)});
  EXPECT_EQ(speedups(solves).at("uot/fast/M:8@v3"), 4) << "not 0.4, which an iteration would be";

  const auto mixed = run_of({{"variant", "uot/s"}}, {solved("uot/s", 8, 100), solved("uot/t", .4, 10),
                                                     timed("uot/a", {{"M", 8}}, "v3", .02)});
  EXPECT_EQ(speedups(mixed), (Speedups{{"uot/s/M:8@v3", 1}, {"uot/t/M:8@v3", 2}, {"uot/a/M:8@v3", 4}}));
  const auto other =
      run_of({{"variant", "uot/a"}}, {solved("uot/s", 8, 100), timed("uot/a", {{"M", 8}}, "v3", .02)});
  EXPECT_EQ(speedups(other), (Speedups{{"uot/s/M:8@v3", .25}, {"uot/a/M:8@v3", 1}}));

  Record part = timed("uot/p", {{"M", 8}}, "v3", .01);
  part.time->per = Unit::part;
  const auto parts = run_of({{"variant", "uot/a"}}, {part, timed("uot/a", {{"M", 8}}, "v3", .02)});
  EXPECT_EQ(speedups(parts).at("uot/p/M:8@v3"), 0) << "half an iteration is no faster one";
}

// Tables say how many iterations a solve took only where there are solves, and who was fastest by the
// iteration where some were timed so.
TEST(RunTable, HasIterationsBesideSolves) {
  const auto run = run_of(nullptr, {solved("uot/s", 8, 100), timed("uot/a", {{"M", 8}}, "v3", .02)});
  const auto view = view_of(run);
  const Table table = run_table(view);
  EXPECT_THAT(column_of(table, "iterations"), testing::ElementsAre("100", "-"));
  EXPECT_THAT(column_of(table, "time/iter"), testing::ElementsAre("80.00 ms", column_of(table, "median")[1]));
  EXPECT_EQ(fastest(view.groups[0]), &view.groups[0].cases[1]);
  EXPECT_EQ(table.rows[1][0].style, Style::plain);
  EXPECT_EQ(table.rows[2][0].style, Style::strong);
  const auto plain = run_of(nullptr, grid);
  EXPECT_THAT(titles_of(run_table(view_of(plain))), testing::Not(testing::Contains("time/iter")));
}

TEST(Speedup, SaysWhatItIsOver) {
  EXPECT_EQ(Reference(Json{{"variant", "uot/a"}, {"threads", 1}}).text(), "uot/a threads:1");
  EXPECT_EQ(Reference(Json{{"threads", 1}, {"worker", "v3"}}).text(), "itself threads:1 @v3");
  EXPECT_FALSE(Reference(Json{{"variant", "uot/a"}}).names_axes());
  const auto nobody = run_of({{"variant", "uot/a"}, {"threads", 64}}, grid);
  EXPECT_THAT(view_of(nobody).warnings,
              testing::Contains("no speedups: uot/a threads:64 is not among these cases"));
  const auto unsound = run_of("uot/a", grid);
  EXPECT_THROW(view_of(unsound), UsageError);
}

/// By id, 0 where there is none.
std::map<std::string, double> efficiencies(const Run& run) {
  std::map<std::string, double> all;
  for (const auto& group : view_of(run).groups)
    for (const auto& member : group.cases) all[member.record->id] = member.efficiency.value_or(0);
  return all;
}

Record of_cpus(int rows, int ranks, int threads, double seconds) {
  Record record = timed("uot/a", {{"M", rows}, {"data", "uniform"}, {"ranks", ranks}, {"threads", threads}},
                        "w", seconds);
  record.id = std::to_string(rows) + " " + std::to_string(ranks) + "x" + std::to_string(threads);
  record.work = Work{.flops = 1. * rows};
  return record;
}

TEST(Efficiency, IsOfTheFewestCpusOfAProblem) {
  const auto of = efficiencies(
      run_of({}, {of_cpus(8, 1, 1, 8), of_cpus(8, 2, 1, 5), of_cpus(8, 2, 2, 2), of_cpus(6, 1, 1, 3)}));
  EXPECT_EQ(of.at("8 1x1"), 1);
  EXPECT_EQ(of.at("8 2x1"), 0.8);
  EXPECT_EQ(of.at("8 2x2"), 1);
  EXPECT_EQ(of.at("6 1x1"), 0) << "timed with one number of CPUs, and of other work";
}

TEST(Efficiency, OfACeilingWhoseCpusEachDoAsMuchIsItsTimes) {
  Record one = of_cpus(8, 1, 1, 4), two = of_cpus(8, 1, 2, 5);
  one.work = Work{.flops = 0, .operations = {{"exp", 8}}};
  two.work = Work{.flops = 0, .operations = {{"exp", 16}}};
  EXPECT_EQ(efficiencies(run_of({}, {one, two})).at("8 1x2"), 0.8);
}

TEST(Efficiency, IsOfAsMuchWorkACpuWhereTheProblemGrows) {
  const auto of = efficiencies(
      run_of({}, {of_cpus(8, 1, 1, 4), of_cpus(16, 2, 1, 5), of_cpus(32, 4, 1, 8), of_cpus(9, 4, 1, 1)}));
  EXPECT_EQ(of.at("8 1x1"), 1);
  EXPECT_EQ(of.at("16 2x1"), 0.8);
  EXPECT_EQ(of.at("32 4x1"), 0.5);
  EXPECT_EQ(of.at("9 4x1"), 0);
}

}  // namespace
}  // namespace uotbench
