// PNG files as arrays that hold a byte in each number, by libpng's simplified API (its manual, section V).
// The library is loaded where a picture is a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#if __has_include(<png.h>)
#include <png.h>
#define UOTBENCH_UOT_READS_PNG 1
#include "kernels/common/loaded_library.hpp"
#else
#define UOTBENCH_UOT_READS_PNG 0
#endif

#include "kernels/uot/shared/applications/picture_files.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {

#if UOTBENCH_UOT_READS_PNG

class PngFiles {
 public:
  /// Throws Error where libpng is not installed.
  PngFiles() : library_("libpng16.so.16", "libpng") {}

  /// A file's levels, three a pixel, transparency over white. Throws Error where it is none, or has other
  /// than `levels`.
  template <class File, class Levels>
  void read(const File& file, Levels& levels) const {
    const std::vector<std::uint8_t> bytes(file.begin(), file.end());
    Header header(*this);
    std::vector<std::uint8_t> rgb(levels.size());
    const png_color white{255, 255, 255};
    if (!begin_read_(&header.image, bytes.data(), bytes.size())) throw Error(header.image.message);
    if (3 * std::size_t{header.image.width} * header.image.height != rgb.size())
      throw Error("the file has another number of pixels than the problem");
    header.image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // levels as they are: common/oracle/images.cpp
    header.image.format = PNG_FORMAT_RGB;
    if (!finish_read_(&header.image, &white, rgb.data(), 0, nullptr)) throw Error(header.image.message);
    levels.assign(rgb.begin(), rgb.end());
  }

  /// Levels from 0 to 255 as a file; behind its end there are zeros, which no PNG file ends with. Throws
  /// Error where `file` is too short.
  template <class Levels, class File>
  void write(const Levels& levels, std::size_t width, File& file) const {
    const std::vector<std::uint8_t> rgb(levels.begin(), levels.end());
    std::vector<std::uint8_t> bytes(file.size());
    Header header(*this);
    header.image.width = static_cast<png_uint_32>(width);
    header.image.height = static_cast<png_uint_32>(rgb.size() / 3 / width);
    header.image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = bytes.size();
    if (!write_(&header.image, bytes.data(), &size, 0, rgb.data(), 0, nullptr))
      throw Error("a PNG file of the result: " + std::string(header.image.message));
    file.assign(bytes.begin(), bytes.end());
  }

 private:
  struct Header {
    explicit Header(const PngFiles& owner) : files(owner) { image.version = PNG_IMAGE_VERSION; }
    ~Header() { files.free_(&image); }
    Header(const Header&) = delete;
    Header& operator=(const Header&) = delete;
    const PngFiles& files;
    png_image image{};
  };

  LoadedLibrary library_;
  decltype(&png_image_begin_read_from_memory) begin_read_ =
      library_.find<decltype(begin_read_)>("png_image_begin_read_from_memory");
  decltype(&png_image_finish_read) finish_read_ =
      library_.find<decltype(finish_read_)>("png_image_finish_read");
  decltype(&png_image_write_to_memory) write_ = library_.find<decltype(write_)>("png_image_write_to_memory");
  decltype(&png_image_free) free_ = library_.find<decltype(free_)>("png_image_free");
};

#else

class NoPngFiles {
 public:
  NoPngFiles() { throw Error("PNG files cannot be read: this worker was built without png.h (libpng-dev)"); }
  template <class File, class Levels>
  void read(const File&, Levels&) const {}
  template <class Levels, class File>
  void write(const Levels&, std::size_t, File&) const {}
};
using PngFiles = NoPngFiles;

#endif

}  // namespace uotbench::uot
