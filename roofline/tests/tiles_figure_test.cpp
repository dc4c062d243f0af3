// A map shows every time where its axes say, and frames the set of tiles that may be the best.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/record/timing.hpp"
#include "results/view/compare.hpp"
#include "roofline/draw/style.hpp"
#include "roofline/figures/drawn_times.hpp"
#include "roofline/tests/made_rounds.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

Rounds tile(int Tx, int Ny, const std::vector<double>& seconds, const std::string& variant = "uot/part2") {
  return {.variant = variant, .point = {{"M", 64}, {"N", 64}, {"Tx", Tx}, {"Ny", Ny}}, .seconds = seconds};
}

/// 64 x 2 is the fastest, 64 x 4 is tied with it, 32 x 4 is not there.
Run map_with_ties() {
  return run_of_rounds({tile(64, 1, {1.2e-3, 1.21e-3, 1.19e-3}), tile(64, 2, {1.00e-3, 1.02e-3, 1.01e-3}),
                        tile(64, 4, {1.01e-3, 1.01e-3, 1.03e-3}), tile(32, 1, {2.4e-3, 2.41e-3, 2.39e-3}),
                        tile(32, 2, {1.05e-3, 1.06e-3, 1.07e-3})});
}

const FigureSpec tiles{.kind = "tiles", .filter = "", .x = "Ny", .y = "Tx"};

TEST(TilesFigure, FramesAllThatAreTiedWithTheFastest) {
  const Drawing drawing = drawing_of_run(map_with_ties(), tiles);
  std::vector<std::string> tied;
  for (const auto& row : drawing.data.rows)
    if (row[10] == "yes") tied.push_back(row[5] + "x" + row[3]);
  EXPECT_THAT(tied, testing::UnorderedElementsAre("64x2", "64x4"));

  const std::string svg = svg_of(drawing, "t");
  const auto frames = lines_in(svg, "rgb( 16,  16,  16)", drawing);
  for (std::size_t i = 0; i < drawing.hotspots.size(); ++i) {
    const auto& spot = drawing.hotspots[i];
    const bool framed = std::ranges::any_of(frames, [&](const Box& frame) {
      return same(frame, {spot.left + 0.045, spot.bottom + 0.045, spot.right - 0.045, spot.top - 0.045});
    });
    EXPECT_EQ(framed, drawing.data.rows[i][10] == "yes") << spot.text;
  }
}

TEST(TilesFigure, PutsEveryTimeWhereItsAxesSay) {
  const Drawing drawing = drawing_of_run(map_with_ties(), tiles);
  const std::string svg = svg_of(drawing, "t");
  const auto shapes = shapes_in(svg, drawing);
  ASSERT_EQ(drawing.hotspots.size(), 5u);
  std::map<std::string, Hotspot> spots;
  for (std::size_t i = 0; i < 5; ++i)
    spots[drawing.data.rows[i][5] + "x" + drawing.data.rows[i][3]] = drawing.hotspots[i];
  for (const auto& [name, spot] : spots)
    EXPECT_TRUE(std::ranges::any_of(shapes, [&](const Box& shape) {
      return same(shape, {spot.left, spot.bottom, spot.right, spot.top});
    })) << name;
  EXPECT_LT(spots["64x1"].right, spots["64x2"].right);
  EXPECT_NEAR(spots["64x1"].right, spots["64x2"].left, 1e-9);
  EXPECT_GT(spots["32x1"].bottom, spots["64x1"].bottom);  // as in a table, the first row on top
  for (const char* value : {"1.200", "1.010", "2.400", "1.060"}) EXPECT_THAT(svg, HasSubstr(value));
  EXPECT_THAT(spots["64x2"].text, HasSubstr("the fastest\nmeasured: 3 processes, 1.000 ms to 1.020 ms"));
  EXPECT_THAT(spots["64x4"].text, HasSubstr("1× the time of the fastest, 0.99× to 1.02×: tied"));
  EXPECT_THAT(spots["64x4"].text, HasSubstr("from made.jsonl"));
}

TEST(TilesFigure, OneMapForEveryVariantAndFurtherAxis) {
  std::vector<Rounds> cases;
  for (const char* variant : {"uot/part2", "uot/part4"})
    for (const int Tx : {32, 64})
      for (const int Ny : {1, 2})
        for (const int unroll : {1, 2}) {
          cases.push_back(tile(Tx, Ny, {1e-3 * Tx}, variant));
          cases.back().point["unroll"] = unroll;
        }
  const auto run = run_of_rounds(cases);
  const Drawing drawing = drawing_of_run(run, tiles);
  std::set<std::string> maps;
  for (const auto& row : drawing.data.rows) maps.insert(row[0]);
  EXPECT_THAT(
      maps, testing::ElementsAre("part2, unroll 1", "part2, unroll 2", "part4, unroll 1", "part4, unroll 2"));
  try {
    drawing_of_run(run, {.kind = "tiles", .filter = ""});
    FAIL() << "three axes vary";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("tiles: 3 axes vary: Tx, Ny, unroll; --x and --y choose two"));
  }
}

TEST(TilesFigure, NeedsTwoAxesThatVary) {
  const auto run = run_of_rounds({tile(32, 1, {1e-3}), tile(64, 1, {1e-3})});
  EXPECT_EQ(complaint_of(run, {.kind = "tiles", .filter = ""}),
            "tiles needs two axes that vary in one variant; folder/made.jsonl has Tx");
  EXPECT_EQ(complaint_of(run, tiles),
            "tiles: no variant of folder/made.jsonl varies in Ny, Tx; there vary: Tx");
}

TEST(Shade, FallsEvenlyInGreyAndCarriesReadableText) {
  // Relative luminance (WCAG 2.1) of a colour.
  const auto luminance = [](int rgb) {
    const auto linear = [](int part) {
      const double value = part / 255.;
      return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
  };
  const auto lightness = [&](double amount) { return 116 * std::cbrt(luminance(shade(amount).rgb)) - 16; };
  for (double amount = 0; amount <= 1; amount += 0.05) {
    EXPECT_NEAR(lightness(amount), lightness(0) + amount * (lightness(1) - lightness(0)), 1.5) << amount;
    const double text = luminance(shade(amount).text == "#ffffff" ? 0xffffff : 0x010101);
    const double ground = luminance(shade(amount).rgb);
    const double contrast = (std::max(text, ground) + 0.05) / (std::min(text, ground) + 0.05);
    EXPECT_GT(contrast, 4.4) << amount;
  }
}

// A tile is framed where nothing says that it is slower than the fastest, and only there; speedups are over
// the case that the reference means.

bool tied_with(const std::vector<double>& fastest, const std::vector<double>& other) {
  const auto run =
      run_of_rounds({{"uot/a", {{"M", 8}, {"N", 8}}, fastest}, {"uot/b", {{"M", 8}, {"N", 8}}, other}});
  const RunView view = view_of(run);
  return tied(view.groups[0].cases[0], view.groups[0].cases[1]);
}

TEST(Tied, WhereOneRoundOfAFewWasNoSlower) {
  EXPECT_TRUE(tied_with({1.00, 1.02, 1.01}, {1.01, 1.01, 1.03}));
  EXPECT_TRUE(tied_with({1, 1, 1}, {1, 1, 1}));
  EXPECT_FALSE(tied_with({1.00, 1.02, 1.01}, {1.01, 1.03, 1.02}));  // slower in every round, by so little
}

TEST(Tied, ByTheIntervalOfTheMedianWhereRoundsAreMany) {
  const std::vector<double> ones(20, 1.);
  std::vector<double> other(20, 1.05);
  other[0] = other[1] = 0.9;  // two lucky rounds of 20 do not make it as fast
  EXPECT_FALSE(tied_with(ones, other));
  for (std::size_t i = 0; i < 8; ++i) other[i] = 0.9;
  EXPECT_TRUE(tied_with(ones, other));
}

TEST(Tied, ByNoiseWhereThereIsOneProcess) {
  auto run = run_of_rounds({{"uot/a", {{"M", 8}, {"N", 8}}, {1}}, {"uot/b", {{"M", 8}, {"N", 8}}, {1}}});
  const auto tied_at = [&](double other, double spread) {
    for (std::size_t i = 0; i < 2; ++i) {
      auto& samples = run.records[i].time->processes[0].samples;
      samples.clear();
      for (int k = -10; k <= 10; ++k) samples.push_back((i == 0 ? 1 : other) * (1 + spread * k));
    }
    const RunView view = view_of(run);
    return tied(view.groups[0].cases[0], view.groups[0].cases[1]);
  };
  EXPECT_TRUE(tied_at(1.02, 0.01));
  EXPECT_FALSE(tied_at(1.02, 0.0001));
  // Of one sample each nothing is known, and nothing is said.
  EXPECT_FALSE(tied_with({1}, {1.01}));
}

TEST(TimeInterval, IsTheRangeOfTheProcessesAndAbsentWhereNothingIsKnown) {
  const auto run =
      run_of_rounds({{"uot/a", {{"M", 8}, {"N", 8}}, {2, 1, 3}}, {"uot/b", {{"M", 8}, {"N", 8}}, {1}}});
  ASSERT_TRUE(time_interval(run.records[0]));
  EXPECT_EQ(time_interval(run.records[0])->low, 1);
  EXPECT_EQ(time_interval(run.records[0])->high, 3);
  EXPECT_FALSE(time_interval(run.records[1]));
}

TEST(Bases, AreThoseOfTheSameProblemThatTheReferenceNames) {
  const auto point = [](int size, int threads) {
    return Json{{"M", size}, {"N", size}, {"threads", threads}};
  };
  const auto run = run_of_rounds({{"uot/a", point(8, 1), {8}},
                                  {"uot/a", point(8, 2), {4}},
                                  {"uot/b", point(8, 1), {2}},
                                  {"uot/b", point(8, 2), {1}},
                                  {"uot/b", point(16, 2), {1}}});
  const RunView view = view_of(run);
  const auto base_of = [&](std::size_t group, std::size_t i, const Json& over) {
    const auto* base = Bases({&view}, over).of(view.groups[group].cases[i]);
    return base ? base->record->id : "none";
  };
  EXPECT_EQ(base_of(0, 3, Json()), "uot/a/M:8/N:8/threads:2@native-v4");  // the group's first variant
  EXPECT_EQ(base_of(0, 3, {{"threads", 1}}), "uot/b/M:8/N:8/threads:1@native-v4");
  EXPECT_EQ(base_of(0, 3, {{"variant", "uot/a"}, {"threads", 1}}), "uot/a/M:8/N:8/threads:1@native-v4");
  EXPECT_EQ(base_of(1, 0, {{"variant", "uot/a"}}), "none");
}

}  // namespace
}  // namespace uotbench
