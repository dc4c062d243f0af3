// Inputs are reproducible, rounded once, and refused where no kernel could do anything with them.
#if UOTBENCH_WITH_PNG
#include <png.h>
#endif

#include <fstream>

#include "kernels/uot/tests/fixture.hpp"

namespace uotbench::uot {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Le;

class InputsTest : public UotTest {
 protected:
  std::vector<double> made(const Json& changes, const std::string& name) {
    family().prepare(point(changes), in);
    return doubles(in / (name + ".npy"));
  }
  std::string refused(const Json& changes) {
    return error_of([&] { family().prepare(point(changes), in); });
  }
  std::string in_user(const std::string& file, const std::string& message) {
    return (user / file).string() + ": " + message;
  }
};

TEST_F(InputsTest, DerivesFi) {
  const auto derived = [](const Json& changes) { return point(changes).number("fi"); };
  EXPECT_EQ(derived({{"M", 1}, {"N", 1}}), .5);
  EXPECT_DOUBLE_EQ(derived({{"M", 1}, {"N", 1}, {"reg_m", .15}}), .75);
}

TEST_F(InputsTest, UniformIsTheAuthorsData) {
  const Json at{{"M", 50}, {"N", 70}};
  for (const char* name : {"K", "a", "b"}) EXPECT_THAT(made(at, name), Each(AllOf(Ge(0), Le(100)))) << name;
  double mean = 0;
  for (const double cell : made(at, "K")) mean += cell / (50 * 70);
  EXPECT_NEAR(mean, 50, 2);
}

TEST_F(InputsTest, AreTheSameForAnyNumberOfThreadsAndOtherForAnotherSeed) {
  const int threads = omp_get_max_threads();
  for (const char* data : {"uniform", "points", "noisy", "colors"}) {
    Json at{{"M", 400}, {"N", 300}, {"data", data}};
    omp_set_num_threads(1);
    const auto one = made(at, "K");
    omp_set_num_threads(3);
    EXPECT_EQ(one, made(at, "K")) << data;
    at["seed"] = 2;
    EXPECT_NE(one, made(at, "K")) << data;
  }
  omp_set_num_threads(threads);
}

TEST_F(InputsTest, AreRoundedToTheElementType) {
  const auto wide = made({{"M", 9}, {"N", 9}, {"data", "points"}, {"dtype", "f64"}}, "K");
  const auto narrow = made({{"M", 9}, {"N", 9}, {"data", "points"}}, "K");
  for (std::size_t k = 0; k < wide.size(); ++k) EXPECT_EQ(static_cast<float>(wide[k]), narrow[k]);
}

TEST_F(InputsTest, PointsHaveAGibbsKernel) {
  Json at{{"M", 20}, {"N", 30}, {"data", "points"}, {"dtype", "f64"}, {"reg", .1}};
  const auto K = made(at, "K");
  EXPECT_THAT(K, Each(AllOf(Ge(std::exp(-2 / .1)), Le(1))));  // the unit square's diagonal squared is 2
  EXPECT_THAT(made(at, "a"), Each(AllOf(Ge(.5 / 20), Le(1.5 / 20))));
  at["reg"] = .2;
  const auto root = made(at, "K");
  for (std::size_t k = 0; k < K.size(); ++k) EXPECT_NEAR(root[k] * root[k], K[k], 1e-14);
}

// The largest cost is 1 but for coordinates that are floats.
TEST_F(InputsTest, NoisyHasCostsOfAtMostOneAndEqualMasses) {
  for (const auto& [M, N] : {std::pair{50, 50}, {1, 1}, {4, 7}}) {
    const Json at{{"M", M}, {"N", N}, {"data", "noisy"}, {"dtype", "f64"}, {"reg", .005}};
    const auto K = made(at, "K");
    EXPECT_THAT(K, Each(AllOf(Ge(std::exp(-(1 + 4e-7) / .005)), Le(1))));
    EXPECT_NEAR(std::log(*std::ranges::min_element(K)), -1 / .005, 4e-7 / .005) << M;
    EXPECT_THAT(doubles(in / "a.npy"), Each(1. / M));
    EXPECT_THAT(doubles(in / "b.npy"), Each(1. / N));
  }
}

// Expected squared distances: clouds 2 * 5^2 + 1 + 1 + 1 + 1, noise to noise 2 * 10^2 + 4 / 12, source cloud
// to target noise 2 * 7.5^2 + 2 + 2 / 12.
TEST_F(InputsTest, NoisyIsTwoCloudsWhoseLastFifthIsFarAway) {
  constexpr std::size_t n = 1000, clean = 800;
  const auto K = made({{"M", n}, {"N", n}, {"data", "noisy"}, {"dtype", "f64"}, {"reg", 1}}, "K");
  const auto mean_cost = [&](std::size_t top, std::size_t bottom, std::size_t left, std::size_t right) {
    double sum = 0;
    for (std::size_t i = top; i < bottom; ++i)
      for (std::size_t j = left; j < right; ++j) sum -= std::log(K[i * n + j]);
    return sum / static_cast<double>((bottom - top) * (right - left));
  };
  const double noise = mean_cost(clean, n, clean, n);
  EXPECT_NEAR(mean_cost(0, clean, 0, clean) / noise, 54 / (200 + 1 / 3.), .02);
  EXPECT_NEAR(mean_cost(0, clean, clean, n) / noise, (114.5 + 1 / 6.) / (200 + 1 / 3.), .02);
}

#if UOTBENCH_WITH_PNG

TEST_F(InputsTest, ColorsComeFromPngFilesAndScenes) {
  // One red pixel, one blue: squared distances in RGB are 0 and 2.
  const std::vector<std::uint8_t> pixels{255, 0, 0, 0, 0, 255};
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = 2;
  image.height = 1;
  image.format = PNG_FORMAT_RGB;
  const std::string file = (root / "two.png").string();
  ASSERT_TRUE(png_image_write_to_file(&image, file.c_str(), 0, pixels.data(), 0, nullptr));
  Json at{{"M", 40},  {"N", 30},        {"data", "colors"}, {"dtype", "f64"},
          {"reg", 1}, {"source", file}, {"target", file}};
  const auto K = made(at, "K");
  EXPECT_THAT(K, Each(testing::AnyOf(1., std::exp(-2.))));
  EXPECT_THAT(K, AllOf(testing::Contains(1.), testing::Contains(std::exp(-2.))));
  EXPECT_THAT(doubles(in / "a.npy"), Each(1. / 40));
  EXPECT_THAT(doubles(in / "b.npy"), Each(1. / 30));
  at["target"] = "scene:meadow";
  EXPECT_NE(made(at, "K"), K);
}

// A hundred bytes may promise any number of pixels: nothing is allocated for more than are read.
TEST_F(InputsTest, RefuseAPictureOfTooManyPixels) {
  const std::vector<std::uint8_t> bomb{
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
      0x01, 0x86, 0xa0, 0x00, 0x01, 0x86, 0xa0, 0x08, 0x02, 0x00, 0x00, 0x00, 0x27, 0x30, 0x9c, 0x9f, 0x00,
      0x00, 0x00, 0x08, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01, 0x48, 0x06,
      0x89, 0xd2, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  const std::string file = (root / "bomb.png").string();
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(bomb.data()), std::ssize(bomb));
  EXPECT_EQ(refused({{"M", 4}, {"N", 3}, {"data", "colors"}, {"source", file}}),
            "source: " + file +
                ": 100000 x 100000 pixels, of which at most 100 million are read; scene:meadow, scene:sunset "
                "or a PNG "
                "file would be right");
}

TEST_F(InputsTest, SayWhichPictureIsUnusable) {
  const auto derive = [](const std::string& source) {
    return error_of([&] { point({{"M", 1}, {"N", 1}, {"data", "colors"}, {"source", source}}); });
  };
  const std::string right = "; scene:meadow, scene:sunset or a PNG file would be right";
  EXPECT_EQ(derive("no.png"), "source: no.png: No such file or directory" + right);
  EXPECT_EQ(derive("scene:dawn"), "source: scene:dawn: no such scene" + right);
  write<double>(user / "a.npy", {1}, {1});
  EXPECT_EQ(derive(user / "a.npy"), "source: " + in_user("a.npy", "not a PNG file") + right);
  EXPECT_EQ(derive("scene:meadow"), "");
}

#else

// A build without libpng says so, whatever file it is given, and still has its own scenes.
TEST_F(InputsTest, SayThatPngFilesCannotBeRead) {
  const auto derive = [](const std::string& source) {
    return error_of([&] { point({{"M", 1}, {"N", 1}, {"data", "colors"}, {"source", source}}); });
  };
  EXPECT_EQ(
      derive("mine.png"),
      "source: mine.png: PNG files cannot be read, this was built without libpng (see uotbench doctor); "
      "scene:meadow or scene:sunset would be right");
  EXPECT_EQ(derive("scene:meadow"), "");
}

#endif

TEST_F(InputsTest, TakeAUsersArraysOfEitherTypeAndKOrC) {
  write_user(2, 3, {0, .1, .2, .3, .4, .5}, {1, 2}, {1, 0, 2}, "C");
  write<float>(user / "a.npy", {2}, {1, 2});
  family().prepare(user_point(2, 3, {{"reg", .1}}), in);
  EXPECT_EQ(doubles(in / "a.npy"), (std::vector<double>{1, 2}));
  EXPECT_EQ(doubles(in / "b.npy"), (std::vector<double>{1, 0, 2}));
  EXPECT_EQ(doubles(in / "K.npy")[3], static_cast<float>(std::exp(-3.)));
  fs::remove(user / "C.npy");
  write<double>(user / "K.npy", {2, 3}, {1, 2, 3, 4, 5, .1});
  family().prepare(user_point(2, 3), in);
  EXPECT_EQ(doubles(in / "K.npy")[5], .1f);
}

TEST_F(InputsTest, SayWhatAUsersFolderLacks) {
  const auto refusal = [&] { return error_of([&] { user_point(2, 3); }); };
  EXPECT_EQ(error_of([] {
              point({{"M", 2}, {"N", 3}, {"data", "npy"}});
            }),
            "data=npy needs path: the folder that holds a.npy, b.npy and one of K.npy and C.npy");
  EXPECT_EQ(error_of([] {
              point({{"M", 2}, {"N", 3}, {"data", "npy"}, {"path", "/nowhere"}});
            }),
            "path: /nowhere is not a folder");
  EXPECT_EQ(refusal(),
            "path: " + user.string() + " holds neither K.npy nor C.npy; exactly one of them would be right");
  write_user(2, 3, {1, 1, 1, 1, 1, 1}, {1, 1}, {1, 1, 1});
  EXPECT_EQ(refusal(), "");
  write<double>(user / "C.npy", {2, 3}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(refusal(),
            "path: " + user.string() + " holds both K.npy and C.npy; exactly one of them would be right");
  fs::remove(user / "C.npy");
  write<double>(user / "K.npy", {3, 2}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(refusal(), in_user("K.npy", "shape (3, 2); (2, 3) would be right for M=2, N=3"));
  write<double>(user / "K.npy", {2, 3}, {1, 1, 1, 1, 1, 1});
  write<double>(user / "b.npy", {3, 1}, {1, 1, 1});
  EXPECT_EQ(refusal(), in_user("b.npy", "shape (3, 1); (3,) would be right for M=2, N=3"));
  NpyArray::create(user / "b.npy", "<i8", {3});
  EXPECT_EQ(refusal(), in_user("b.npy", "elements of type <i8; f32 (<f4) or f64 (<f8) would be right"));
  fs::remove(user / "b.npy");
  EXPECT_EQ(refusal(), in_user("b.npy", "No such file or directory"));
}

TEST_F(InputsTest, SayWhichOfAUsersCellsIsUnusable) {
  const auto refusal = [&](std::vector<double> K, std::vector<double> a, const char* matrix = "K") {
    fs::remove(user / "K.npy");
    write_user(2, 2, K, a, {1, 1}, matrix);
    return error_of([&] { family().prepare(user_point(2, 2), in); });
  };
  EXPECT_EQ(refusal({1, 1, 1, 1}, {1, 1}), "");
  EXPECT_EQ(refusal({1, 1, 1, NAN}, {1, 1}),
            in_user("K.npy", "K[1,1] is nan; a finite number would be right"));
  EXPECT_EQ(refusal({1, -2, NAN, 1}, {1, 1}), in_user("K.npy", "K[0,1] is -2; it cannot be negative"));
  EXPECT_EQ(refusal({1, 1, 1, 1}, {1, -INFINITY}),
            in_user("a.npy", "a[1] is -inf; a finite number would be right"));
  EXPECT_EQ(refusal({1, 1, 1, 1}, {-.5, 1}), in_user("a.npy", "a[0] is -0.5; it cannot be negative"));
  EXPECT_EQ(refusal({1, 1, 1, 1}, {0, 0}),
            in_user("a.npy", "every cell of a is 0; some mass would be right"));
  EXPECT_EQ(refusal({1, 1, 1e300, 1}, {1, 1}),
            in_user("K.npy", "K[1,0] is 1e+300, more than f32 holds; dtype=f64 would be right"));
  EXPECT_EQ(refusal({0, 0, 0, -10}, {1, 1}, "C"),
            in_user("C.npy", "C[1,1] is -10: exp(-C/reg) overflows in f32; add a constant to all costs"));
}

TEST_F(InputsTest, AreRefusedWhereNoPlanExists) {
  const auto refusal = [&](std::vector<double> K, std::vector<double> a, std::vector<double> b,
                           Json changes = Json::object(), const char* matrix = "K") {
    fs::remove(user / "K.npy");
    write_user(2, 2, K, a, b, matrix);
    return error_of([&] { family().prepare(user_point(2, 2, changes), in); });
  };
  EXPECT_EQ(refusal({0, 0, 1, 1}, {0, 1}, {1, 1}), "");  // no mass, no need
  EXPECT_EQ(refusal({0, 0, 1, 1}, {.5, 1}, {1, 1}),
            "row 0 of K is zero wherever b has mass, but a[0] is 0.5: no plan can give it that; "
            "if it is not zero in the data it underflowed in f32: dtype=f64 would be right");
  EXPECT_EQ(refusal({1, 0, 1, 0}, {1, 1}, {1, 2}, {{"dtype", "f64"}}),
            "column 1 of K is zero wherever a has mass, but b[1] is 2: no plan can give it that");
  EXPECT_EQ(refusal({1, 0, 0, 1}, {1, 1}, {1, 0}, {{"dtype", "f64"}}),
            "row 1 of K is zero wherever b has mass, but a[1] is 1: no plan can give it that");
  EXPECT_EQ(refusal({0, 0, 6, 6}, {1, 1}, {1, 1}, Json::object(), "C"),
            "row 1 of K is zero wherever b has mass, but a[1] is 1: no plan can give it that; "
            "exp(-C/reg) underflowed in f32: a larger reg or dtype=f64 would be right");
  EXPECT_EQ(refused({{"M", 1}, {"N", 1}, {"data", "points"}, {"reg", 1e-6}, {"dtype", "f64"}}).substr(0, 31),
            "row 0 of K is zero wherever b h");
}

TEST(FamilyPage, OfUotIsTrue) {
  expect_page_is_true(family(), {{{"M", 5}, {"N", 7}},
                                 {{"M", 5}, {"N", 7}, {"dtype", "f64"}},
                                 {{"M", 5}, {"N", 7}, {"data", "points"}, {"stop", "change"}},
                                 {{"M", 5}, {"N", 7}, {"data", "points"}, {"matrix", "never"}},
                                 {{"M", 5}, {"N", 7}, {"data", "colors"}, {"application", 1}},
                                 {{"M", 5}, {"N", 7}, {"data", "moons"}, {"application", 1}},
                                 {{"M", 5}, {"N", 7}, {"data", "surface"}, {"application", 1}},
                                 {{"M", 5}, {"N", 7}, {"data", "likelihood"}, {"application", 1}}});
}

}  // namespace
}  // namespace uotbench::uot
