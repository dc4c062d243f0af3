// Figures know axes by their roles: a family may call its sizes and settings what it likes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/tests/made_record.hpp"
#include "roofline/figures/lines.hpp"
#include "roofline/figures/roofline/panels.hpp"
#include "roofline/tests/made_rounds.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* problems[]{"nx", "ny", "B", "kind"};

Rounds timed_at(const std::string& variant, const Json& point, double seconds) {
  return {.variant = variant, .point = point, .seconds = {seconds, seconds, seconds}};
}

Json grid(int nx, int ny, int B, int workers) {
  return {{"nx", nx}, {"ny", ny}, {"B", B}, {"kind", "wave"}, {"workers", workers}};
}

Run heat_run(const std::vector<Rounds>& cases) {
  Run run = run_of_rounds(cases);
  edited(run.header)["problem_axes"] = {{"heat", problems}};
  edited(run.header)["axis_roles"] = {{"heat",
                                       {{"nx", "size"},
                                        {"ny", "size"},
                                        {"B", "size"},
                                        {"kind", "problem"},
                                        {"workers", "setting"},
                                        {"tile", "tunable"}}}};
  return run;
}

std::vector<std::string> problems_in(const Run& run) {
  const RunView view = view_of(run);
  const auto shown = selected({.kind = "speedup", .filter = ""}, {&view});
  const CaseAxes axes(shown);
  std::vector<std::string> texts;
  for (const auto& one : shown) texts.push_back(axes.problem(one));
  return texts;
}

TEST(Roles, NameAProblemByItsSizes) {
  EXPECT_THAT(problems_in(heat_run(
                  {timed_at("heat/a", grid(64, 32, 8, 1), 1), timed_at("heat/a", grid(8, 8, 8, 1), 1)})),
              ElementsAre("64×32×8", "8³"));
  Rounds own = timed_at("heat/a", grid(64, 32, 8, 1), 1);
  own.point["kind"] = "sine";
  EXPECT_THAT(problems_in(heat_run({timed_at("heat/a", grid(64, 32, 8, 1), 1), own})),
              ElementsAre("64×32×8 kind wave", "64×32×8 kind sine"));
}

TEST(Roles, LetSizesThatAreAllEqualBeOneAxis) {
  std::vector<Rounds> cases;
  for (int size = 64; size <= 1024; size += 64) {
    cases.push_back(timed_at("heat/base", grid(size, size, size, 1), 2e-3));
    cases.push_back(timed_at("heat/ours", grid(size, size, size, 1), 1e-3));
  }
  EXPECT_THAT(drawing_of_run(heat_run(cases), {.kind = "speedup", .filter = ""}).commands,
              HasSubstr("'nx = ny = B'"));
  // One of them stays: the others are two axes, and problems have names.
  for (auto& one : cases) one.point["B"] = 7;
  const auto commands = drawing_of_run(heat_run(cases), {.kind = "speedup", .filter = ""}).commands;
  EXPECT_THAT(commands, HasSubstr("64×64×7"));
  EXPECT_THAT(commands, Not(HasSubstr("nx = ny")));
  // A single size that varies is the axis.
  for (auto& one : cases) one.point["ny"] = 5;
  EXPECT_THAT(drawing_of_run(heat_run(cases), {.kind = "speedup", .filter = ""}).commands, HasSubstr("'nx'"));
}

TEST(Roles, HoldCasesAgainstThoseOfEqualSettings) {
  const auto run = heat_run(
      {timed_at("heat/base", grid(8, 8, 8, 1), 8e-3), timed_at("heat/ours", grid(8, 8, 8, 1), 4e-3),
       timed_at("heat/base", grid(8, 8, 8, 2), 6e-3), timed_at("heat/ours", grid(8, 8, 8, 2), 1e-3)});
  const Drawing drawing = drawing_of_run(run, {.kind = "speedup", .filter = ""});
  ASSERT_EQ(drawing.data.rows.size(), 2u);
  EXPECT_EQ(drawing.data.rows[0][4], "2");
  EXPECT_EQ(drawing.data.rows[1][4], "6");
  EXPECT_THAT(drawing.commands, HasSubstr("speedup over base, same workers"));
  EXPECT_THAT(drawing.commands, HasSubstr("ours, 1 worker'"));
  EXPECT_THAT(drawing.commands, HasSubstr("ours, 2 workers'"));
  // The setting that varies is what cases scale with.
  EXPECT_THAT(drawing_of_run(run, {.kind = "scaling", .filter = ""}).commands, HasSubstr("'workers'"));
}

TEST(Roles, LabelTheRooflinesPoints) {
  auto cases = {timed_at("heat/a", grid(64, 32, 8, 1), 1), timed_at("heat/a", grid(8, 8, 8, 2), 1)};
  const auto run = heat_run(cases);
  const RunView view = view_of(run);
  std::vector<RoofPoint> points;
  for (const auto& one : selected({.kind = "speedup", .filter = ""}, {&view}))
    points.push_back({.shown = one, .label = {}, .counted = {}, .level = {}, .fraction = {}});
  add_point_labels(points);
  EXPECT_EQ(points[0].label, "a 64×32×8 1 worker");
  EXPECT_EQ(points[1].label, "a 8³ 2 workers");
}

}  // namespace
}  // namespace uotbench
