// What the header of an .npy file says (numpy.lib.format), as it says it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uotbench {

/// A file that is open, closed at the end.
class NpyFile {
 public:
  /// Throws Error naming the file where it is missing or no regular file.
  NpyFile(const std::string& path, bool writable);
  ~NpyFile();
  NpyFile(const NpyFile&) = delete;
  NpyFile& operator=(const NpyFile&) = delete;

  void* map() const;                                      ///< all of it; throws Error
  [[noreturn]] void fail(const std::string& what) const;  ///< Error "PATH: what"

  std::string path;
  bool writable;
  int descriptor = -1;
  std::size_t bytes = 0;
};

/// The entries of its dictionary, as texts.
struct NpyHeader {
  std::string type;        ///< <f4
  std::string order;       ///< fortran_order: False
  std::string shape;       ///< 3, 4
  std::size_t offset = 0;  ///< bytes to the first element
};
/// Throws Error where the file is of no format up to `last_version`.0, is cut off, or lacks an entry.
NpyHeader npy_header(const NpyFile& file, int last_version);
/// Throws Error where it is none, or the file is shorter than elements of `width` bytes in it need.
std::vector<std::size_t> npy_shape(const NpyFile& file, const NpyHeader& header, std::size_t width);

/// Bytes of a file with such elements; absent where a size_t or an off_t cannot hold them.
std::optional<std::size_t> npy_file_bytes(std::size_t offset, std::size_t width,
                                          const std::vector<std::size_t>& shape);
/// A header may be 64 KiB of anything.
std::string shortened_header(std::string_view text);

}  // namespace uotbench
