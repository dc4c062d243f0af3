// Inputs are reproducible, rounded once, and refused where no kernel could do anything with them.
#if UOTBENCH_WITH_PNG
#include <png.h>
#endif

#include <fstream>
#include <optional>

#include "kernels/common/oracle/images.hpp"
#include "kernels/uot/tests/fixture.hpp"
#include "kernels/uot/timed/applications/png_files.hpp"

namespace uotbench::uot {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Le;

#if UOTBENCH_WITH_PNG

struct PngLayout {
  int bits = 8, type = PNG_COLOR_TYPE_RGB;
  std::vector<png_color> palette = {};  ///< of PNG_COLOR_TYPE_PALETTE
  double gamma = 0;                     ///< 0: no gAMA
  bool interlaced = false;
  std::size_t width = 256, height = 1;
};

/// A PNG file without sRGB as libpng's whole interface writes it. `levels`: of all channels, 16 bits in this
/// machine's order.
std::vector<std::uint8_t> png_file(const void* levels, const PngLayout& layout) {
  std::vector<std::uint8_t> file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &file,
      [](png_structp of, png_bytep bytes, std::size_t count) {
        auto& to = *static_cast<std::vector<std::uint8_t>*>(png_get_io_ptr(of));
        to.insert(to.end(), bytes, bytes + count);
      },
      nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(layout.width), static_cast<png_uint_32>(layout.height),
               layout.bits, layout.type, layout.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!layout.palette.empty())
    png_set_PLTE(png, info, layout.palette.data(), static_cast<int>(layout.palette.size()));
  if (layout.gamma > 0) png_set_gAMA(png, info, layout.gamma);
  png_set_check_for_invalid_index(png, -1);
  png_write_info(png, info);
  if (layout.bits == 16) png_set_swap(png);
  const std::size_t row_bytes = png_get_rowbytes(png, info);
  std::vector<png_bytep> rows(layout.height);
  for (std::size_t row = 0; row < rows.size(); ++row)
    rows[row] = const_cast<png_bytep>(static_cast<png_const_bytep>(levels)) + row * row_bytes;
  png_write_image(png, rows.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return file;
}

#endif

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

// 11 and 11 * 257 are the same level, whatever the file says of how levels make light.
TEST_F(InputsTest, SixteenBitsAreReadAsEight) {
  for (const bool gray : {false, true}) {
    std::vector<std::uint8_t> narrow;
    std::vector<std::uint16_t> wide;
    for (int level = 0; level < 256; ++level)
      for (int c = 0; c < (gray ? 1 : 3); ++c) {
        narrow.push_back(static_cast<std::uint8_t>((level + 40 * c) % 256));
        wide.push_back(static_cast<std::uint16_t>(narrow.back() * 257));
      }
    const int type = gray ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;
    const auto eight = png_file(narrow.data(), {.type = type}),
               sixteen = png_file(wide.data(), {.bits = 16, .type = type});
    const Image read = image_in("eight", eight);
    EXPECT_EQ(image_in("sixteen", sixteen).rgb, read.rgb);
    EXPECT_EQ(read.rgb[3 * 11], 11);
    for (const double gamma : {1., 1 / 2.2}) {
      EXPECT_EQ(image_in("linear", png_file(narrow.data(), {.type = type, .gamma = gamma})).rgb, read.rgb);
      EXPECT_EQ(image_in("linear", png_file(wide.data(), {.bits = 16, .type = type, .gamma = gamma})).rgb,
                read.rgb);
    }
    std::vector<double> levels(read.rgb.size());
    PngFiles().read(sixteen, levels);
    EXPECT_EQ(levels, std::vector<double>(read.rgb.begin(), read.rgb.end())) << "a worker's reader";
  }
}

/// Values of 16 x 16 pixels, three a pixel, or one; with `opacity` behind each pixel where that is given.
template <class Level>
std::vector<Level> levels_of(bool gray, Level step, std::optional<Level> opacity) {
  std::vector<Level> levels;
  for (int pixel = 0; pixel < 256; ++pixel) {
    for (int c = 0; c < (gray ? 1 : 3); ++c)
      levels.push_back(static_cast<Level>((pixel * 3 + 50 * c) % 256 * step));
    if (opacity) levels.push_back(*opacity);
  }
  return levels;
}

TEST_F(InputsTest, AreTheSameInterlacedOrOpaque) {
  for (const bool gray : {false, true}) {
    const int plain = gray ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;
    const int with_alpha = gray ? PNG_COLOR_TYPE_GRAY_ALPHA : PNG_COLOR_TYPE_RGB_ALPHA;
    const auto narrow = levels_of<std::uint8_t>(gray, 1, {});
    const auto read = image_in("plain", png_file(narrow.data(), {.type = plain, .width = 16, .height = 16}));
    ASSERT_EQ(read.rgb.size(), 768u);
    EXPECT_EQ(read.rgb[3 * 5], 15);
    for (const bool interlaced : {false, true})
      for (const bool opaque : {false, true}) {
        const auto layout = [&](int bits) {
          return PngLayout{.bits = bits,
                           .type = opaque ? with_alpha : plain,
                           .interlaced = interlaced,
                           .width = 16,
                           .height = 16};
        };
        const auto eight =
            levels_of<std::uint8_t>(gray, 1, opaque ? std::optional<std::uint8_t>(255) : std::nullopt);
        const auto sixteen =
            levels_of<std::uint16_t>(gray, 257, opaque ? std::optional<std::uint16_t>(65535) : std::nullopt);
        EXPECT_EQ(image_in("eight", png_file(eight.data(), layout(8))).rgb, read.rgb) << gray << interlaced;
        EXPECT_EQ(image_in("sixteen", png_file(sixteen.data(), layout(16))).rgb, read.rgb);
      }
    const auto clear = levels_of<std::uint8_t>(gray, 1, std::uint8_t{0});
    const PngLayout of_alpha{.type = with_alpha, .width = 16, .height = 16};
    EXPECT_THAT(image_in("clear", png_file(clear.data(), of_alpha)).rgb, Each(255)) << "over white";
  }
}

TEST_F(InputsTest, RefuseAColourThatThePaletteHasNot) {
  std::vector<std::uint8_t> indexes(256);
  for (std::size_t k = 0; k < indexes.size(); ++k) indexes[k] = k % 2;
  const std::vector<png_color> two{{10, 20, 30}, {40, 50, 60}};
  const PngLayout layout{.type = PNG_COLOR_TYPE_PALETTE, .palette = two};
  const Image read = image_in("two", png_file(indexes.data(), layout));
  EXPECT_EQ(std::vector<int>(read.rgb.begin(), read.rgb.begin() + 6),
            (std::vector<int>{10, 20, 30, 40, 50, 60}));
  indexes[77] = 5;
  EXPECT_THAT(error_of([&] { image_in("two", png_file(indexes.data(), layout)); }),
              testing::HasSubstr("pixel 77 has colour 5 of a palette of 2"));
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
                ": 100000 x 100000 pixels, of which at most 100 million are read; expected scene:meadow, "
                "scene:sunset or a PNG file");
}

TEST_F(InputsTest, SayWhichPictureIsUnusable) {
  const auto derive = [](const std::string& source) {
    return error_of([&] { point({{"M", 1}, {"N", 1}, {"data", "colors"}, {"source", source}}); });
  };
  const std::string right = "; expected scene:meadow, scene:sunset or a PNG file";
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
      "expected scene:meadow or scene:sunset");
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

TEST_F(InputsTest, TakeMassesFromACsvFileAndFromOneRow) {
  write_user(2, 3, {1, 2, 3, 4, 5, 6}, {1, 2}, {1, 1, 1});
  fs::remove(user / "a.npy");
  std::ofstream(user / "a.csv") << "\xef\xbb\xbfmass\n\n3\n1.5\n";
  write<double>(user / "b.npy", {1, 3}, {4, 5, 6});
  family().prepare(user_point(2, 3), in);
  EXPECT_EQ(doubles(in / "a.npy"), (std::vector<double>{3, 1.5}));
  EXPECT_EQ(doubles(in / "b.npy"), (std::vector<double>{4, 5, 6}));
  std::ofstream(user / "a.csv") << "3, 1.5\r\n";
  family().prepare(user_point(2, 3), in);
  EXPECT_EQ(doubles(in / "a.npy"), (std::vector<double>{3, 1.5}));
  std::ofstream(user / "a.csv") << "\n3\nx\n";
  EXPECT_EQ(error_of([&] { user_point(2, 3); }),
            (user / "a.csv").string() + ", line 3: expected a number, got \"x\"");
  std::ofstream(user / "a.csv") << "mass\n";
  EXPECT_EQ(error_of([&] { user_point(2, 3); }), in_user("a.csv", "holds no numbers"));
}

TEST_F(InputsTest, SayWhatAUsersFolderLacks) {
  const auto refusal = [&] { return error_of([&] { user_point(2, 3); }); };
  EXPECT_EQ(error_of([] {
              point({{"M", 2}, {"N", 3}, {"data", "npy"}});
            }),
            "data=npy needs path: the folder that holds a.npy, b.npy and one of K.npy, C.npy, and X.npy with "
            "Y.npy");
  EXPECT_EQ(error_of([] {
              point({{"M", 2}, {"N", 3}, {"data", "npy"}, {"path", "/nowhere"}});
            }),
            "path: /nowhere is not a folder");
  EXPECT_EQ(refusal(),
            "path: " + user.string() +
                " holds none of K, C, X and Y; expected one of K.npy, C.npy, and X.npy with Y.npy");
  write_user(2, 3, {1, 1, 1, 1, 1, 1}, {1, 1}, {1, 1, 1});
  EXPECT_EQ(refusal(), "");
  write<double>(user / "C.npy", {2, 3}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(refusal(),
            "path: " + user.string() + " holds K and C; expected one of K.npy, C.npy, and X.npy with Y.npy");
  fs::remove(user / "C.npy");
  write<double>(user / "K.npy", {3, 2}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(refusal(), in_user("K.npy", "shape (3, 2); expected (2, 3) for M=2, N=3"));
  write<double>(user / "K.npy", {2, 3}, {1, 1, 1, 1, 1, 1});
  write<double>(user / "b.npy", {3, 1}, {1, 1, 1});
  EXPECT_EQ(refusal(), in_user("b.npy", "shape (3, 1); expected (3,) for M=2, N=3"));
  NpyArray::create(user / "b.npy", "<i8", {3});
  EXPECT_EQ(refusal(), "") << "integers are numbers";
  std::ofstream(user / "b.csv") << "1\n";
  EXPECT_EQ(refusal(), user.string() + ": holds both b.npy and b.csv; expected one of them");
  fs::remove(user / "b.csv");
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
  EXPECT_EQ(refusal({1, 1, 1, NAN}, {1, 1}), in_user("K.npy", "K[1,1] is nan; expected a finite number"));
  EXPECT_EQ(refusal({1, -2, NAN, 1}, {1, 1}), in_user("K.npy", "K[0,1] is -2; it cannot be negative"));
  EXPECT_EQ(refusal({1, 1, 1, 1}, {1, -INFINITY}),
            in_user("a.npy", "a[1] is -inf; expected a finite number"));
  EXPECT_EQ(refusal({1, 1, 1, 1}, {-.5, 1}), in_user("a.npy", "a[0] is -0.5; it cannot be negative"));
  EXPECT_EQ(refusal({1, 1, 1, 1}, {0, 0}), in_user("a.npy", "every cell of a is 0; expected a sum above 0"));
  EXPECT_EQ(refusal({1, 1, 1, 1}, {3e38, 3e38}),
            in_user("a.npy", "a sums to more than f32 holds; expected smaller masses, or dtype=f64"));
  EXPECT_EQ(refusal({1, 1, 1e300, 1}, {1, 1}),
            in_user("K.npy", "K[1,0] is 1e+300, more than f32 holds; try dtype=f64"));
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
            "if it is not zero in the data it underflowed in f32; try dtype=f64");
  EXPECT_EQ(refusal({1, 0, 1, 0}, {1, 1}, {1, 2}, {{"dtype", "f64"}}),
            "column 1 of K is zero wherever a has mass, but b[1] is 2: no plan can give it that");
  EXPECT_EQ(refusal({1, 0, 0, 1}, {1, 1}, {1, 0}, {{"dtype", "f64"}}),
            "row 1 of K is zero wherever b has mass, but a[1] is 1: no plan can give it that");
  EXPECT_EQ(refusal({0, 0, 6, 6}, {1, 1}, {1, 1}, Json::object(), "C"),
            "row 1 of K is zero wherever b has mass, but a[1] is 1: no plan can give it that; "
            "exp(-C/reg) underflowed in f32; try a larger reg or dtype=f64");
  EXPECT_EQ(refused({{"M", 1}, {"N", 1}, {"data", "points"}, {"reg", 1e-6}, {"dtype", "f64"}}).substr(0, 31),
            "row 0 of K is zero wherever b h");
}

TEST_F(InputsTest, TakeForbiddenPairs) {
  write_user(2, 2, {0, INFINITY, .05, .1}, {1, 1}, {1, 1}, "C");
  for (const char* stop : {"iterations", "change"}) {
    const Json changes{{"dtype", "f64"}, {"stop", stop}};
    family().prepare(user_point(2, 2, changes), in);
    EXPECT_EQ(doubles(in / "K.npy"), (std::vector<double>{1, 0, std::exp(-1.), std::exp(-2.)}));
    write_user(2, 2, {INFINITY, INFINITY, 1, 1}, {1, 1}, {1, 1}, "C");
    EXPECT_THAT(error_of([&] { family().prepare(user_point(2, 2, changes), in); }),
                testing::StartsWith(
                    "row 0 of K is zero wherever b has mass, but a[0] is 1: no plan can give it that"));
    write_user(2, 2, {0, INFINITY, .05, .1}, {1, 1}, {1, 1}, "C");
  }
  EXPECT_EQ(doubles(in / "C.npy")[1], INFINITY);
  write_user(2, 2, {0, -INFINITY, 1, 1}, {1, 1}, {1, 1}, "C");
  EXPECT_EQ(error_of([&] { family().prepare(user_point(2, 2), in); }),
            in_user("C.npy", "C[0,1] is -inf; expected a finite number, or inf for a forbidden pair"));
}

TEST_F(InputsTest, ThePageIsTrue) {
  write_user(2, 3, std::vector<double>(6, 1), {1, 1}, {1, 1, 1}, "C");
  write(user / "log_u0.npy", {2}, std::vector<double>{0, -1});
  write(user / "log_v0.npy", {3}, std::vector<double>{0, 1, 2});
  expect_page_is_true(
      family(),
      {{{"M", 5}, {"N", 7}},
       {{"M", 2}, {"N", 3}, {"data", "npy"}, {"path", user.string()}, {"stop", "change"}, {"warm", "given"}},
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
