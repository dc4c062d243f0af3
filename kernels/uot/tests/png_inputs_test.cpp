// Pictures as inputs: PNG files of any layout give the same levels, and unusable ones are refused.
#if UOTBENCH_WITH_PNG
#include <png.h>
#endif

#include <cmath>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "kernels/common/oracle/images.hpp"
#include "kernels/uot/tests/inputs_fixture.hpp"
#include "kernels/uot/timed/applications/png_files.hpp"

namespace uotbench::uot {
namespace {

using testing::AllOf;
using testing::Each;

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

}  // namespace
}  // namespace uotbench::uot
