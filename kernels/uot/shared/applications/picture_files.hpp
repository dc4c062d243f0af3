// Of pictures that are PNG files: which they are, and how large one can become.
#pragma once

#include <cstddef>
#include <string>

namespace uotbench::uot {

/// Whether a picture's name, as the axes `source` and `target` have it, is a file's.
inline bool is_png_file(const std::string& name) { return !name.starts_with("scene:"); }

/// Of a file that `write` makes, at most: what cannot be compressed grows by a sixty-fourth and some (zlib's
/// technical details), and chunks of 8 KiB have 12 bytes each.
constexpr std::size_t most_png_bytes(std::size_t width, std::size_t height) {
  const std::size_t rows = (3 * width + 1) * height;
  return rows + rows / 8 + rows / 64 + 1024;
}

}  // namespace uotbench::uot
