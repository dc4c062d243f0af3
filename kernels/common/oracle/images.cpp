#include "kernels/common/oracle/images.hpp"

#include <fmt/format.h>
#if UOTBENCH_WITH_PNG
#include <png.h>
#endif

#include <algorithm>
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

/// A PNG file without the chunks that say what its levels look like (gamma, colour space), so that they are
/// read as they are. What is no PNG file comes out as it is.
std::vector<std::uint8_t> without_colour_spaces(std::span<const std::uint8_t> file) {
  constexpr std::size_t signature = 8, around = 12;  // of a chunk: length, name and checksum
  std::vector<std::uint8_t> kept;
  const auto keep = [&](std::span<const std::uint8_t> part) {
    kept.insert(kept.end(), part.begin(), part.end());
  };
  keep(file.first(std::min(signature, file.size())));
  std::span<const std::uint8_t> rest = file.subspan(kept.size());
  while (rest.size() >= around) {
    const std::size_t length =
        std::size_t{rest[0]} << 24 | std::size_t{rest[1]} << 16 | std::size_t{rest[2]} << 8 | rest[3];
    const auto chunk = rest.first(std::min(length + around, rest.size()));
    const std::string name(chunk.begin() + 4, chunk.begin() + 8);
    if (name != "gAMA" && name != "cHRM" && name != "sRGB" && name != "iCCP") keep(chunk);
    rest = rest.subspan(chunk.size());
  }
  keep(rest);
  return kept;
}

#if UOTBENCH_WITH_PNG

// 300 MB of colours; what a few bytes of a file can promise is 2^64.
constexpr std::uint64_t most_pixels = 100'000'000;

Error unusable(const std::string& axis, const std::string& name, const std::string& why) {
  return Error(fmt::format("{}: {}: {}; expected scene:meadow, scene:sunset or a PNG file", axis, name, why));
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

void require_size(const std::string& axis, const std::string& name, const png_image& header) {
  const std::uint64_t pixels = std::uint64_t{header.width} * header.height;
  if (pixels > most_pixels)
    throw unusable(axis, name,
                   fmt::format("{} x {} pixels, of which at most {} million are read", header.width,
                               header.height, most_pixels / 1'000'000));
}

/// libpng makes a colour that the palette does not have black, without a word.
void require_palette(const std::string& axis, const std::string& name, png_image& header) {
  header.format = PNG_FORMAT_RGB_COLORMAP;
  const std::size_t pixels = std::size_t{header.width} * header.height;
  std::vector<png_byte> indexes(pixels), colors(3 * std::size_t{256});
  const png_color white{255, 255, 255};
  const png_uint_32 has = header.colormap_entries;
  if (!png_image_finish_read(&header, &white, indexes.data(), 0, colors.data()))
    throw unusable(axis, name, header.message);
  const png_uint_32 known = std::min(has, header.colormap_entries);
  const auto wrong = std::ranges::find_if(indexes, [&](png_byte index) { return index >= known; });
  if (wrong != indexes.end())
    throw unusable(
        axis, name,
        fmt::format("pixel {} has colour {} of a palette of {}", wrong - indexes.begin(), *wrong, known));
}

Image finish_reading(const std::string& axis, const std::string& name, png_image& header) {
  // Levels as they are, in 16 bits as in 8: else libpng takes 16 bits without a gAMA for linear light.
  header.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  header.format = PNG_FORMAT_RGB;
  Image image{.width = header.width, .height = header.height, .rgb = {}};
  const std::uint64_t pixels = std::uint64_t{header.width} * header.height;
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

/// Reads and writes with libpng's whole interface, whose errors jump; nothing here has a destructor that a
/// jump skips.
struct WholePng {
  png_structp reader = nullptr, writer = nullptr;
  png_infop info = nullptr, plain = nullptr;

  ~WholePng() {
    png_destroy_read_struct(&reader, &info, nullptr);
    png_destroy_write_struct(&writer, &plain);
  }
};

/// The same levels in rows, one after the other. libpng 1.6.39's simplified interface puts rows of interlaced
/// files of 16 bits in wrong places, its whole interface does not. A file that is of another kind, or wrong,
/// comes out as it is.
std::vector<std::uint8_t> without_interlacing(std::vector<std::uint8_t> file) {
  constexpr std::size_t bits = 24, interlacing = 28;  // bytes of the first chunk
  if (file.size() <= interlacing || file[bits] != 16 || file[interlacing] == 0) return file;
  std::span<const std::uint8_t> rest(file);
  std::vector<std::uint8_t> levels, made;
  std::vector<png_bytep> rows;
  WholePng png;
  png.reader =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, [](png_structp, png_const_charp) {});
  png.writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  if (!png.reader || !png.writer) return file;
  png.info = png_create_info_struct(png.reader);
  png.plain = png_create_info_struct(png.writer);
  if (!png.info || !png.plain) return file;
  if (setjmp(png_jmpbuf(png.reader)) != 0 || setjmp(png_jmpbuf(png.writer)) != 0) return file;
  png_set_read_fn(png.reader, &rest, [](png_structp of, png_bytep bytes, std::size_t count) {
    auto& from = *static_cast<std::span<const std::uint8_t>*>(png_get_io_ptr(of));
    if (count > from.size()) png_error(of, "cut off");
    std::copy_n(from.begin(), count, bytes);
    from = from.subspan(count);
  });
  png_read_info(png.reader, png.info);
  const png_uint_32 width = png_get_image_width(png.reader, png.info),
                    height = png_get_image_height(png.reader, png.info);
  if (std::uint64_t{width} * height > most_pixels) return file;
  if (png_get_valid(png.reader, png.info, PNG_INFO_tRNS) != 0) png_set_tRNS_to_alpha(png.reader);
  png_set_interlace_handling(png.reader);
  png_read_update_info(png.reader, png.info);
  const std::size_t row_bytes = png_get_rowbytes(png.reader, png.info);
  levels.resize(row_bytes * height);
  for (std::size_t row = 0; row < height; ++row) rows.push_back(levels.data() + row * row_bytes);
  png_read_image(png.reader, rows.data());
  png_set_write_fn(
      png.writer, &made,
      [](png_structp of, png_bytep bytes, std::size_t count) {
        auto& to = *static_cast<std::vector<std::uint8_t>*>(png_get_io_ptr(of));
        to.insert(to.end(), bytes, bytes + count);
      },
      nullptr);
  png_set_IHDR(png.writer, png.plain, width, height, 16, png_get_color_type(png.reader, png.info),
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png.writer, png.plain);
  png_write_image(png.writer, rows.data());
  png_write_end(png.writer, png.plain);
  return made;
}

/// What all readers of pictures get.
std::vector<std::uint8_t> levels_only(std::span<const std::uint8_t> file) {
  return without_interlacing(without_colour_spaces(file));
}

/// `begin(header)` reads the header anew: pictures with a palette are read twice.
template <class Begin>
Image read_begun(const std::string& axis, const std::string& name, const Begin& begin) {
  PngHeader header;
  begin(header);
  require_size(axis, name, header);
  if ((header.format & PNG_FORMAT_FLAG_COLORMAP) == 0) return finish_reading(axis, name, header);
  require_palette(axis, name, header);
  PngHeader again;
  begin(again);
  return finish_reading(axis, name, again);
}

std::vector<std::uint8_t> bytes_in(const std::string& axis, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw unusable(axis, path, "it cannot be read to its end");
  return bytes;
}

Image read_png(const std::string& axis, const std::string& path) {
  const auto file = levels_only(bytes_in(axis, path));
  return read_begun(axis, path, [&](PngHeader& header) {
    if (!png_image_begin_read_from_memory(&header, file.data(), file.size()))
      throw unusable(axis, path, header.message);
  });
}

Image read_png_in(const std::string& name, std::span<const std::uint8_t> given) {
  const auto file = levels_only(given);
  return read_begun(name, "of the result", [&](PngHeader& header) {
    if (!png_image_begin_read_from_memory(&header, file.data(), file.size()))
      throw Error(fmt::format("{}: {}", name, header.message));
  });
}

#else

Error unusable(const std::string& axis, const std::string& name, const std::string& why) {
  return Error(fmt::format("{}: {}: {}; expected scene:meadow or scene:sunset", axis, name, why));
}

[[noreturn]] void require_png(const std::string& axis, const std::string& path) {
  throw unusable(axis, path, "PNG files cannot be read, this was built without libpng (see uotbench doctor)");
}

[[noreturn]] Image read_png(const std::string& axis, const std::string& path) { require_png(axis, path); }
[[noreturn]] std::vector<std::uint8_t> bytes_in(const std::string& axis, const std::string& path) {
  require_png(axis, path);
}
[[noreturn]] Image read_png_in(const std::string& name, std::span<const std::uint8_t>) {
  require_png(name, "of the result");
}
std::vector<std::uint8_t> levels_only(std::span<const std::uint8_t> file) {
  return without_colour_spaces(file);
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
  return levels_only(bytes_in(axis, path));
}

Image image_in(const std::string& name, std::span<const std::uint8_t> file) {
  return read_png_in(name, file);
}

}  // namespace uotbench
