// Pictures of users: a file of a few bytes may not promise a picture that fills the memory.
#include <fmt/format.h>
#include <png.h>

#include <array>
#include <cstdint>

#include "kernels/common/oracle/images.hpp"
#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

void read(std::string_view input) {
  const Image image = load_image("image", as_file(input, "x.png").string());
  if (image.width == 0 || image.height == 0 || image.rgb.size() != image.width * image.height * 3)
    throw Broken(fmt::format("{} x {} with {} bytes", image.width, image.height, image.rgb.size()));
}

std::string made(png_uint_32 format, png_uint_32 width, png_uint_32 height, bool sixteen_bits) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = width, header.height = height,
  header.format = format | (sixteen_bits ? PNG_FORMAT_FLAG_LINEAR : 0u);
  std::vector<std::uint16_t> cells(PNG_IMAGE_SIZE(header), 77);
  for (std::size_t i = 0; i < cells.size(); i += 3) cells[i] = static_cast<std::uint16_t>(257 * i);
  std::array<png_color, 256> colours{};
  header.colormap_entries = format & PNG_FORMAT_FLAG_COLORMAP ? 256 : 0;
  std::string file(1 << 16, '\0');
  png_alloc_size_t size = file.size();
  if (!png_image_write_to_memory(&header, file.data(), &size, 0, cells.data(), 0, colours.data()))
    throw std::runtime_error(header.message);
  file.resize(size);
  return file;
}

std::vector<std::string> pictures() {
  return {made(PNG_FORMAT_RGB, 4, 3, false), made(PNG_FORMAT_RGBA, 5, 1, false),
          made(PNG_FORMAT_GRAY, 1, 1, false), made(PNG_FORMAT_GA, 2, 2, true),
          made(PNG_FORMAT_RGB_COLORMAP, 3, 3, false)};
}

std::uint32_t number_at(const std::string& text, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(text[at + i]);
  return number;
}

/// CRC-32 as the PNG specification's annex D has it.
std::uint32_t checksum(std::string_view text) {
  std::uint32_t crc = ~0u;
  for (const char byte : text) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
  }
  return ~crc;
}

/// With the sums of its chunks.
void mend(std::string& file) {
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::size_t length = number_at(file, at);
    if (length > file.size() - at - 12) return;
    const std::uint32_t sum = checksum(std::string_view(file).substr(at + 4, length + 4));
    for (std::size_t i = 0; i < 4; ++i) file[at + 8 + length + i] = static_cast<char>(sum >> (24 - 8 * i));
    at += 12 + length;
  }
}

const Registration target{{.name = "png", .one_input = read, .corpus = pictures, .mend = mend}};

}  // namespace
}  // namespace uotbench::fuzz
