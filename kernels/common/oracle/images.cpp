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
#include <fstream>
#include <iterator>
#include <memory>

#include "harness/worker/oracle/input_files.hpp"
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
  InputFiles::note(path);
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path))
    throw unusable(axis, path, "not a regular file");
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw unusable(axis, path, std::strerror(errno));
  std::array<unsigned char, 8> start{};
  if (std::fread(start.data(), 1, start.size(), file.get()) != start.size() ||
      png_sig_cmp(start.data(), 0, start.size()) != 0)
    throw unusable(axis, path, "not a PNG file");
}

Image finish_reading(const std::string& axis, const std::string& name, png_image& header) {
  const std::uint64_t pixels = std::uint64_t{header.width} * header.height;
  if (pixels > most_pixels)
    throw unusable(axis, name,
                   fmt::format("{} x {} pixels, of which at most {} million are read", header.width,
                               header.height, most_pixels / 1'000'000));
  header.format = PNG_FORMAT_RGB;
  Image image{.width = header.width, .height = header.height, .rgb = {}};
  image.rgb.resize(3 * pixels);  // PNG_IMAGE_SIZE is 32 bits wide
  const png_color white{255, 255, 255};
  if (!png_image_finish_read(&header, &white, image.rgb.data(), 0, nullptr))
    throw unusable(axis, name, header.message);
  return image;
}

// The simplified API (libpng manual, section V): one colour format, whatever the file holds.
struct PngHeader : png_image {
  PngHeader() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~PngHeader() { png_image_free(this); }
  PngHeader(const PngHeader&) = delete;
  PngHeader& operator=(const PngHeader&) = delete;
};

Image read_png(const std::string& axis, const std::string& path) {
  PngHeader header;
  if (!png_image_begin_read_from_file(&header, path.c_str())) throw unusable(axis, path, header.message);
  return finish_reading(axis, path, header);
}

Image read_png_in(const std::string& name, std::span<const std::uint8_t> file) {
  PngHeader header;
  if (!png_image_begin_read_from_memory(&header, file.data(), file.size()))
    throw Error(fmt::format("{}: {}", name, header.message));
  return finish_reading(name, "of the result", header);
}

#else

Error unusable(const std::string& axis, const std::string& name, const std::string& why) {
  return Error(fmt::format("{}: {}: {}; scene:meadow or scene:sunset would be right", axis, name, why));
}

[[noreturn]] void require_png(const std::string& axis, const std::string& path) {
  throw unusable(axis, path, "PNG files cannot be read, this was built without libpng (see uotbench doctor)");
}

[[noreturn]] Image read_png(const std::string& axis, const std::string& path) { require_png(axis, path); }
[[noreturn]] Image read_png_in(const std::string& name, std::span<const std::uint8_t>) {
  require_png(name, "of the result");
}

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

std::vector<std::uint8_t> bytes_of_image(const std::string& axis, const std::string& path) {
  require_png(axis, path);
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw unusable(axis, path, "it cannot be read to its end");
  return bytes;
}

Image image_in(const std::string& name, std::span<const std::uint8_t> file) {
  return read_png_in(name, file);
}

}  // namespace uotbench
