// Applications: what they are given, and that the judge tells right results from wrong ones.
#include <algorithm>
#include <numeric>

#include "kernels/uot/shared/applications/picture_files.hpp"
#include "kernels/uot/tests/fixture.hpp"
#include "kernels/uot/timed/applications/png_files.hpp"

namespace uotbench::uot {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ApplicationTest : public UotTest {
 protected:
  static Json at(const std::string& data, const Json& changes = Json::object()) {
    Json values{{"M", 24}, {"N", 20}, {"data", data}, {"application", 5}, {"dtype", "f64"}};
    values.update(changes);
    return values;
  }
  std::vector<double> given(const std::string& name) { return doubles(in / (name + ".npy")); }

  /// The plan of the points, or of the table, as one writes it down.
  std::vector<double> plan(const Point& point) {
    const std::size_t M = point.size("M"), N = point.size("N");
    std::vector<double> K(M * N);
    if (point.text("data") == "likelihood") {
      const auto table = given("table");
      for (std::size_t j = 0; j < N; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < M; ++i) sum += table[i * N + j];
        for (std::size_t i = 0; i < M; ++i) K[i * N + j] = table[i * N + j] / sum;
      }
    } else {
      const auto X = given("X"), Y = given("Y");
      const std::size_t d = X.size() / M;
      for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < N; ++j) {
          double cost = 0;
          for (std::size_t c = 0; c < d; ++c) cost += std::pow(X[i * d + c] - Y[j * d + c], 2);
          K[i * N + j] = std::exp(-cost / point.number("reg"));
        }
    }
    const auto [u, v] = solve_as_pot(K, given("a"), given("b"), point.number("fi"),
                                     static_cast<int>(point.integer("application")));
    for (std::size_t k = 0; k < K.size(); ++k) K[k] *= u[k / N] * v[k % N];
    return K;
  }

  /// Where the rows' points go; written to the outputs.
  std::vector<double> move(const Point& point) {
    const std::size_t M = point.size("M"), N = point.size("N");
    const auto P = plan(point), Y = given("Y");
    const std::size_t d = Y.size() / N;
    std::vector<double> moved(M * d, 0);
    for (std::size_t i = 0; i < M; ++i) {
      const double mass = std::accumulate(&P[i * N], &P[i * N] + N, 0.);
      for (std::size_t j = 0; j < N; ++j)
        for (std::size_t c = 0; c < d; ++c) moved[i * d + c] += P[i * N + j] / mass * Y[j * d + c];
    }
    put("moved", {M, d}, moved, point);
    return moved;
  }
  void put(const std::string& name, const std::vector<std::size_t>& shape, const std::vector<double>& values,
           const Point& point) {
    if (point.text("dtype") == "f64")
      write(out / (name + ".npy"), shape, values);
    else
      write(out / (name + ".npy"), shape, std::vector<float>(values.begin(), values.end()));
  }
  /// Of each query the nearest point.
  static std::vector<double> nearest(const std::vector<double>& queries, const std::vector<double>& points,
                                     std::size_t d) {
    std::vector<double> all;
    for (std::size_t q = 0; q < queries.size() / d; ++q) {
      std::vector<double> apart;
      for (std::size_t k = 0; k < points.size() / d; ++k) {
        double sum = 0;
        for (std::size_t c = 0; c < d; ++c) sum += std::pow(queries[q * d + c] - points[k * d + c], 2);
        apart.push_back(sum);
      }
      all.push_back(static_cast<double>(std::ranges::min_element(apart) - apart.begin()));
    }
    return all;
  }
  std::string reason(const Point& point, std::vector<std::string> written) {
    return judge(point, std::move(written), 1).reason;
  }
  static std::string refused(const Json& changes) {
    return error_of([&] { family().derive(point_from(defaults_with(family(), changes))); });
  }
};

TEST_F(ApplicationTest, MovesPointsToBarycentres) {
  for (const char* dtype : {"f32", "f64"})
    for (const char* scheme : {"unbalanced", "damped"}) {
      const Point noisy = point(at("noisy", {{"dtype", dtype}, {"reg", .1}, {"scheme", scheme}, {"fi", 1}}));
      prepare(noisy);
      move(noisy);
      EXPECT_EQ(reason(noisy, {"moved"}), "") << dtype;
    }
  const Point noisy = point(at("noisy", {{"reg", .1}}));
  prepare(noisy);
  EXPECT_EQ(reason(noisy, {}), "outputs untouched: nothing was written to moved");
  move(noisy);
  EXPECT_EQ(reason(noisy, {"moved"}), "");
  set<double>("moved", 7, 0.9);
  EXPECT_THAT(reason(noisy, {"moved"}), HasSubstr("moved"));
}

TEST_F(ApplicationTest, GivesTheLabelOfTheNearestPointThatMoved) {
  const Point moons = point(at("moons", {{"reg_m", 5}}));
  prepare(moons);
  const auto moved = move(moons), labels = given("labels");
  EXPECT_EQ(std::ranges::count(labels, 0), 12) << "half of the rows";
  std::vector<double> found;
  for (const double i : nearest(given("Y"), moved, 2)) found.push_back(labels[static_cast<std::size_t>(i)]);
  put("labelled", {20}, found, moons);
  const Judgement judgement = judge(moons, {"moved", "labelled"}, 1);
  EXPECT_EQ(judgement.reason, "");
  ASSERT_TRUE(judgement.check.found.contains("accuracy"));
  EXPECT_EQ(reason(moons, {"moved"}), "outputs untouched: nothing was written to labelled");
  set<double>("labelled", 3, 1 - found[3]);
  EXPECT_THAT(reason(moons, {"moved", "labelled"}), HasSubstr("labelled"));
}

TEST_F(ApplicationTest, MatchesThePointsOfTwoSurfaces) {
  const Point surface = point(at("surface"));
  EXPECT_EQ(surface.number("fi"), 1) << "balanced";
  prepare(surface);
  const auto matches = nearest(move(surface), given("Y"), 8);
  put("matches", {24}, matches, surface);
  const Judgement judgement = judge(surface, {"moved", "matches"}, 1);
  EXPECT_EQ(judgement.reason, "");
  ASSERT_TRUE(judgement.check.found.contains("degrees"));
  for (const double wrong : {matches[5] == 3 ? 4. : 3., -1., 20.}) {  // 20: none of them
    set<double>("matches", 5, wrong);
    EXPECT_THAT(reason(surface, {"moved", "matches"}), HasSubstr("matches")) << wrong;
  }
}

TEST_F(ApplicationTest, MovesEveryPixelAsTheNearestDrawnOne) {
  const Point colors = point(at("colors"));
  prepare(colors);
  const auto moved = move(colors), X = given("X"), pixels = given("pixels");
  ASSERT_EQ(pixels.size(), 480u * 320 * 3);
  std::vector<double> drawn;
  const NpyArray picked = NpyArray::open(in / "picked.npy");
  for (const auto pixel : picked.as<std::int32_t>())
    for (int c = 0; c < 3; ++c) drawn.push_back(pixels[3 * static_cast<std::size_t>(pixel) + c]);
  for (std::size_t k = 0; k < X.size(); ++k) ASSERT_NEAR(X[k], drawn[k] / 255, 1e-7);
  const auto of = nearest(pixels, drawn, 3);
  std::vector<double> picture;
  for (std::size_t k = 0; k < pixels.size(); ++k) {
    const std::size_t at = 3 * static_cast<std::size_t>(of[k / 3]) + k % 3;
    picture.push_back(std::round(std::clamp(pixels[k] + 255 * (moved[at] - X[at]), 0., 255.)));
  }
  put("picture", {320, 480, 3}, picture, colors);
  EXPECT_EQ(reason(colors, {"moved", "picture"}), "");
  for (const double off : {3., .25}) {  // another colour; no level
    set<double>("picture", 1000, picture[1000] + off);
    EXPECT_THAT(reason(colors, {"moved", "picture"}), HasSubstr("picture")) << off;
  }
}

#if UOTBENCH_WITH_PNG
TEST_F(ApplicationTest, OfFilesIsGivenTheirBytesAndWritesOne) {
  const std::string path = (in / "red.png").string();
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = 3;
  image.height = 2;
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> levels(18);
  std::iota(levels.begin(), levels.end(), std::uint8_t{100});
  ASSERT_TRUE(png_image_write_to_file(&image, path.c_str(), 0, levels.data(), 0, nullptr)) << image.message;
  const Point colors = point(at("colors", {{"source", path}, {"M", 6}}));
  prepare(colors);
  EXPECT_EQ(given("pixels"), std::vector<double>(levels.begin(), levels.end()));
  EXPECT_FALSE(fs::exists(in / "target_png.npy")) << "a scene is no file";
  const auto file = given("source_png");
  EXPECT_EQ(file.size(), fs::file_size(path) - 13) << "without its sRGB chunk: levels are read as they are";

  const auto moved = move(colors), X = given("X");
  std::vector<double> picture(18);
  PngFiles files;
  {
    std::vector<double> read(18);
    files.read(file, read);
    EXPECT_EQ(read, given("pixels"));
    std::vector<double> drawn;
    const NpyArray picked = NpyArray::open(in / "picked.npy");
    for (const auto pixel : picked.as<std::int32_t>())
      drawn.insert(drawn.end(), &read[3 * static_cast<std::size_t>(pixel)],
                   &read[3 * static_cast<std::size_t>(pixel)] + 3);
    const auto next = nearest(read, drawn, 3);
    for (std::size_t k = 0; k < 18; ++k) {
      const std::size_t at = 3 * static_cast<std::size_t>(next[k / 3]) + k % 3;
      picture[k] = std::round(std::clamp(read[k] + 255 * (moved[at] - X[at]), 0., 255.));
    }
  }
  put("picture", {2, 3, 3}, picture, colors);
  std::vector<double> written(most_png_bytes(3, 2));
  files.write(picture, 3, written);
  put("png", {written.size()}, written, colors);
  EXPECT_EQ(reason(colors, {"moved", "picture", "png"}), "");
  EXPECT_EQ(reason(colors, {"moved", "picture"}), "outputs untouched: nothing was written to png");
  std::vector<double> other = picture;
  other[7] = picture[7] == 9 ? 10 : 9;
  files.write(other, 3, written);
  put("png", {written.size()}, written, colors);
  EXPECT_THAT(reason(colors, {"moved", "picture", "png"}), StartsWith("png is another picture: value 7 is "));
  written[1] = 300;
  put("png", {written.size()}, written, colors);
  EXPECT_THAT(reason(colors, {"moved", "picture", "png"}), HasSubstr("png holds 300, which is no byte"));
  written[1] = 7;
  put("png", {written.size()}, written, colors);
  EXPECT_THAT(reason(colors, {"moved", "picture", "png"}), StartsWith("png: "));
}
#endif

TEST_F(ApplicationTest, TellsHowALearnerAndATeacherAgree) {
  const Point table = point(at("likelihood"));
  EXPECT_EQ(table.number("fi"), 1);
  prepare(table);
  EXPECT_FALSE(fs::exists(in / "K.npy")) << "an application makes it";
  const auto P = plan(table);
  std::vector<double> index(20, 0);
  for (std::size_t j = 0; j < 20; ++j) {
    double column = 0;
    for (std::size_t i = 0; i < 24; ++i) column += P[i * 20 + j];
    for (std::size_t i = 0; i < 24; ++i) {
      const double row = std::accumulate(&P[i * 20], &P[i * 20] + 20, 0.);
      index[j] += P[i * 20 + j] / column * P[i * 20 + j] / row;
    }
  }
  put("agreement", {20}, index, table);
  EXPECT_EQ(reason(table, {"agreement"}), "");
  set<double>("agreement", 4, 1.1 * index[4]);
  EXPECT_THAT(reason(table, {"agreement"}), HasSubstr("agreement"));
}

TEST_F(ApplicationTest, IsRefusedWhereThereIsNone) {
  EXPECT_EQ(
      refused(at("points")),
      "application is for data that have one: colors, moons, noisy, surface or likelihood; data is points");
  EXPECT_THAT(refused(at("moons", {{"stop", "change"}})),
              StartsWith("an application scales a stored matrix"));
  EXPECT_THAT(refused(at("moons", {{"matrix", "never"}})),
              StartsWith("an application scales a stored matrix"));
  const Point hard = point(at("noisy", {{"reg", 1e-4}, {"dtype", "f32"}}));
  EXPECT_THAT(error_of([&] { prepare(hard); }), HasSubstr("exp(-C/reg) underflowed in f32"));
}

TEST_F(ApplicationTest, HasTheDataThatIterationsAloneHave) {
  for (const char* data : {"moons", "surface", "likelihood"}) {
    const Point alone = point(at(data, {{"application", 0}}));
    prepare(alone);
    const auto K = given("K");
    if (std::string(data) == "likelihood") {
      for (std::size_t j = 0; j < 20; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < 24; ++i) sum += K[i * 20 + j];
        EXPECT_NEAR(sum, 1, 1e-14);
      }
    }
    write(out / "plan.npy", {24, 20},
          solve_in_place(K, given("a"), given("b"), alone.number("fi"), false, 10));
    EXPECT_EQ(judge(alone).reason, "") << data;
  }
}

}  // namespace
}  // namespace uotbench::uot
