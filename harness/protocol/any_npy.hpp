// Arrays that others have saved: NPY formats 1.0 to 3.0, in C or Fortran order, of any endianness, floats of
// 2, 4 or 8 bytes, integers or booleans. Workers and the oracle exchange arrays of one kind: npy.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace uotbench {

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
