// An array file of any element type, and the header of such files (NumPy's .npy).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace uotbench {

// What the header of an .npy file says (numpy.lib.format), as it says it.

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

// Arrays that others have saved: NPY formats 1.0 to 3.0, in C or Fortran order, of any endianness, floats of
// 2, 4 or 8 bytes, integers or booleans. Workers and the oracle exchange arrays of one kind: npy.hpp.

/// A mapped .npy file, or an array of a folder in memory (memory_folder.hpp), read as doubles. Moves, does
/// not copy.
class AnyNpy {
 public:
  /// Reads the header. Throws Error naming the file and what is wrong: missing, no NPY file, elements that
  /// are no numbers (complex, text, objects, records), no shape, shorter than its header says.
  static AnyNpy open(const std::string& path);

  AnyNpy(AnyNpy&& other) noexcept;
  AnyNpy& operator=(AnyNpy&& other) noexcept;
  ~AnyNpy();

  const std::vector<std::size_t>& shape() const { return shape_; }
  std::size_t size() const;  ///< elements
  /// Element `index` in C order, whatever the file's. Integers above 2^53 are rounded.
  double operator[](std::size_t index) const { return read_(element(index), swapped_); }

  /// Elements from `first` on, in C order.
  void read(std::size_t first, std::span<double> to) const;
  /// Whether they are in this memory, in C order.
  bool is_at(const void* memory) const { return data_ == memory && strides_.empty(); }

 private:
  AnyNpy() = default;
  static AnyNpy in_memory(const std::string& path);
  const std::byte* element(std::size_t index) const {
    return data_ + (strides_.empty() ? static_cast<std::ptrdiff_t>(index * width_) : offset_of(index));
  }
  std::ptrdiff_t offset_of(std::size_t index) const;
  template <class T>
  void read_as(std::size_t first, std::span<double> to) const;

  std::vector<std::size_t> shape_;
  std::vector<std::ptrdiff_t> strides_;  ///< bytes; empty: C order
  bool swapped_ = false;
  std::size_t width_ = 0;
  const std::byte* data_ = nullptr;  ///< the first element
  double (*read_)(const std::byte*, bool swapped) = nullptr;
  void* map_ = nullptr;
  std::size_t map_bytes_ = 0;
};

}  // namespace uotbench
