// A figure of solves has a panel for each problem but for the axis across, a line a method, and only solves.
#include <gmock/gmock.h>

#include "results/tests/made_record.hpp"
#include "roofline/draw/gnuplot.hpp"
#include "roofline/tests/made.hpp"
#include "roofline/tests/read_figure.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::Not;

Record solve(const std::string& variant, double reg_m, double mass, double seconds, std::int64_t iterations) {
  Record record;
  record.id = fmt::format("uot/{}/M:500/N:400{}/reg_m:{}/stop:change@native-v4", variant,
                          mass == 1 ? "" : fmt::format("/mass_b:{}", mass), reg_m);
  record.variant = "uot/" + variant;
  record.worker = "native-v4";
  record.point = {{"M", 500},        {"N", 400},         {"reg_m", reg_m}, {"mass_b", mass},
                  {"fi", reg_m / 2}, {"stop", "change"}, {"threads", 1}};
  record.check.emplace().error = reg_m * 1e-3;
  record.time.emplace().per = Unit::solve;
  record.time->iterations = iterations;
  record.time->processes = {{.start = 0, .first_sample = {}, .arm = {}, .samples = {seconds}}};
  return record;
}

Run made_solves() {
  Run run = made_run({{"uot/iterating", {.flops = 1}}}, {});
  edited(run.header)["problem_axes"] = {{"uot", {"M", "N", "reg_m", "mass_b", "fi", "stop"}}};
  for (const double mass : {1., 3.})
    for (const double reg_m : {.05, .5, 5.}) {
      run.records.push_back(
          solve("knopp", reg_m, mass, reg_m * mass, static_cast<std::int64_t>(100 * reg_m)));
      run.records.push_back(solve("ti", reg_m, mass, .01 * mass, 20));
    }
  return run;
}

Drawing drawn_solves(const Run& run, FigureSpec spec) {
  spec.kind = "solves";
  return drawing_of_run(run, spec);
}
std::string solves_complaint(const Run& run, FigureSpec spec) {
  spec.kind = "solves";
  return complaint_of(run, spec);
}

TEST(Solves, HaveAPanelAProblemAndOnlySolves) {
  const Drawing drawing = drawn_solves(made_solves(), {});
  EXPECT_THAT(drawing.data.columns,
              testing::ElementsAre("id", "reg_m", "median_s", "iterations", "error", "run"));
  EXPECT_EQ(drawing.data.rows.size(), 12u) << "the case that iterates is none of them";
  EXPECT_THAT(drawing.data.rows.front(),
              testing::ElementsAre("uot/knopp/M:500/N:400/reg_m:0.05/stop:change@native-v4", "0.05", "0.05",
                                   "5", "5e-05", "made.jsonl"));
  const std::string svg = svg_of(drawing, "s");
  for (const char* text : {"seconds to a solution", "reg_m", "mass_b 1", "mass_b 3", "knopp", "ti"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, Not(HasSubstr("stop:change<"))) << "what all panels share is no title";
  EXPECT_THAT(svg, Not(HasSubstr("iterating")));
}

TEST(Solves, HaveNoPanelForAProblemWithoutTheAxis) {
  auto run = made_solves();
  run.records.push_back(solve("free", 1, 7, .1, 10));
  Json point = run.records.back().point.json();
  point.erase("reg_m");
  run.records.back().point = point;
  const std::string svg = svg_of(drawn_solves(run, {.x = "reg_m"}), "s");
  EXPECT_THAT(svg, HasSubstr("mass_b 3"));
  EXPECT_THAT(svg, Not(HasSubstr("mass_b 7")));
}

TEST(Solves, ShowIterationsOrErrorsInstead) {
  EXPECT_THAT(svg_of(drawn_solves(made_solves(), {.value = "iterations"}), "s"), HasSubstr("iterations<"));
  EXPECT_THAT(svg_of(drawn_solves(made_solves(), {.value = "error"}), "s"), HasSubstr("final error<"));
}

TEST(Solves, ShowSecondsToATarget) {
  auto run = made_solves();
  for (auto& record : run.records)
    if (record.variant == "uot/knopp")
      record.reach = {{.of = "gap", .target = 1e-2, .iterations = 3, .found = 8e-3, .samples = {.1, .3, .2}},
                      {.of = "gap", .target = 1e-4, .reason = "it stays above"}};
  const Drawing drawing = drawn_solves(run, {.x = "reg_m", .value = "reach:gap:0.01"});
  EXPECT_EQ(drawing.data.rows.size(), 6u) << "those that tell it";
  EXPECT_THAT(svg_of(drawing, "s"), HasSubstr("seconds to a gap of 0.01<"));
  EXPECT_EQ(solves_complaint(run, {.x = "reg_m", .value = "reach:gap:1e-4"}),
            "solves: made.jsonl: no case reports reach:gap:1e-4");
}

TEST(Solves, ShowAPhaseOrAFactOverSizesThatAreEqual) {
  auto run = made_solves();
  run.records.clear();
  for (const double n : {100., 200.}) {
    Record record = solve("knopp", 1, 1, n / 50, 10);
    record.id = fmt::format("uot/knopp/M:{}/N:{}@native-v4", n, n);
    record.point.set("M", n);
    record.point.set("N", n);
    record.time->processes.front().phases = {{.name = "search", .seconds = {n / 100}, .entered = 1}};
    record.env.set("skipped", 7 * n);
    run.records.push_back(record);
  }
  const Drawing skipped = drawn_solves(run, {.x = "M", .value = "fact:skipped"});
  EXPECT_THAT(svg_of(skipped, "s"), HasSubstr("skipped<"));
  EXPECT_THAT(svg_of(skipped, "s"), Not(HasSubstr("N 100"))) << "one panel";
  const Drawing phase = drawn_solves(run, {.x = "M", .value = "phase:search"});
  EXPECT_THAT(svg_of(phase, "s"), HasSubstr("seconds of the phase search<"));
  EXPECT_EQ(phase.data.rows.size(), 2u);
}

TEST(Solves, SayWhatTheyLack) {
  EXPECT_EQ(solves_complaint(made_solves(), {.value = "mass"}),
            "solves: value: expected time, reach:NAME:TARGET, iterations, error, phase:NAME or fact:NAME, "
            "got \"mass\"");
  EXPECT_EQ(solves_complaint(made_solves(), {.value = "reach:gap"}),
            "solves: value: expected reach:NAME:TARGET, such as reach:gap:1e-4, got \"reach:gap\"");
  EXPECT_EQ(solves_complaint(made_solves(), {.value = "reach:gap:1e-4"}),
            "solves: made.jsonl: no case reports reach:gap:1e-4");
  EXPECT_EQ(solves_complaint(made_solves(), {.value = "fact:skipped"}),
            "solves: made.jsonl: no case reports fact:skipped");
  EXPECT_EQ(solves_complaint(made_solves(), {.x = "reg"}),
            "solves needs several values of reg; made.jsonl has no such axis with numbers");
  EXPECT_EQ(solves_complaint(made_solves(), {.x = "M"}),
            "solves needs several values of M; made.jsonl has 500 alone");
  EXPECT_EQ(
      solves_complaint(made_run({{"uot/iterating", {.flops = 1}}}, {}), {}),
      "solves: made.jsonl: no solve ran until a stopping test ended it; -a stop=change goes to solutions");
}

}  // namespace
}  // namespace uotbench
