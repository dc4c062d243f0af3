#include "kernels/common/oracle/images.hpp"

#include <fmt/format.h>
#if UOTBENCH_WITH_PNG
#include <png.h>
#endif

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

constexpr const char* scene_prefix = "scene:";

#if UOTBENCH_WITH_PNG

// 300 MB of colours; what a few bytes of a file can promise is 2^64.
constexpr std::uint64_t most_pixels = 100'000'000;

Error unusable(const std::string& axis, const std::string& name, const std::string& why) {
  return Error(
      fmt::format("{}: {}: {}; scene:meadow, scene:sunset or a PNG file would be right", axis, name, why));
}

void require_png(const std::string& axis, const std::string& path) {
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path))
    throw unusable(axis, path, "not a regular file");
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw unusable(axis, path, std::strerror(errno));
  std::array<unsigned char, 8> start{};
  if (std::fread(start.data(), 1, start.size(), file.get()) != start.size() ||
      png_sig_cmp(start.data(), 0, start.size()) != 0)
    throw unusable(axis, path, "not a PNG file");
}

Image read_png(const std::string& axis, const std::string& path) {
  // The simplified API (libpng manual, section V): one colour format, whatever the file holds.
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, decltype(&png_image_free)> owner(&header, png_image_free);
  if (!png_image_begin_read_from_file(&header, path.c_str())) throw unusable(axis, path, header.message);
  const std::uint64_t pixels = std::uint64_t{header.width} * header.height;
  if (pixels > most_pixels)
    throw unusable(axis, path,
                   fmt::format("{} x {} pixels, of which at most {} million are read", header.width,
                               header.height, most_pixels / 1'000'000));
  header.format = PNG_FORMAT_RGB;
  Image image{.width = header.width, .height = header.height, .rgb = {}};
  image.rgb.resize(3 * pixels);  // PNG_IMAGE_SIZE is 32 bits wide
  const png_color white{255, 255, 255};
  if (!png_image_finish_read(&header, &white, image.rgb.data(), 0, nullptr))
    throw unusable(axis, path, header.message);
  return image;
}

#else

Error unusable(const std::string& axis, const std::string& name, const std::string& why) {
  return Error(fmt::format("{}: {}: {}; scene:meadow or scene:sunset would be right", axis, name, why));
}

[[noreturn]] void require_png(const std::string& axis, const std::string& path) {
  throw unusable(axis, path, "PNG files cannot be read, this was built without libpng (see uotbench doctor)");
}

[[noreturn]] Image read_png(const std::string& axis, const std::string& path) { require_png(axis, path); }

#endif

}  // namespace

void require_image(const std::string& axis, const std::string& name) {
  if (!name.starts_with(scene_prefix)) return require_png(axis, name);
  if (name != "scene:meadow" && name != "scene:sunset") throw unusable(axis, name, "no such scene");
}

Image load_image(const std::string& axis, const std::string& name) {
  require_image(axis, name);
  if (name == "scene:meadow") return draw_meadow();
  if (name == "scene:sunset") return draw_sunset();
  return read_png(axis, name);
}

}  // namespace uotbench
