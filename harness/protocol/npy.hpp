// Arrays as files: NPY format 1.0 (numpy.lib.format), C order, little endian, mapped into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/base/error.hpp"

namespace uotbench {

/// f32, f64, … as NPY spells them: <f4, <f8, <u2, <i4, <i8.
template <class T>
const char* npy_type();
template <>
inline const char* npy_type<float>() {
  return "<f4";
}
template <>
inline const char* npy_type<double>() {
  return "<f8";
}
template <>
inline const char* npy_type<std::int32_t>() {
  return "<i4";
}

/// A mapped .npy file. Moves, does not copy; unmaps when destroyed.
class NpyArray {
 public:
  /// A file written elsewhere, read-only unless `writable`. Throws Error naming the file and what is wrong:
  /// missing, not NPY 1.0, Fortran order, big endian, no shape, shorter than its header says.
  static NpyArray open(const std::string& path, bool writable = false);
  /// A new zero-filled file of this shape, in the place of one that is there. Throws Error (no space, say).
  static NpyArray create(const std::string& path, const std::string& type,
                         const std::vector<std::size_t>& shape);

  NpyArray(NpyArray&& other) noexcept;
  NpyArray& operator=(NpyArray&& other) noexcept;
  ~NpyArray();

  const std::string& type() const { return type_; }
  const std::vector<std::size_t>& shape() const { return shape_; }
  std::size_t size() const;        ///< elements
  std::size_t data_bytes() const;  ///< bytes of the elements

  /// The elements in C order. Throws Error where the file holds another type.
  template <class T>
  std::span<const T> as() const {
    require(npy_type<T>());
    return {reinterpret_cast<const T*>(data()), size()};
  }
  /// Likewise, to be written; the file must have been created or opened writable.
  template <class T>
  std::span<T> as_mutable() {
    require(npy_type<T>());
    return {reinterpret_cast<T*>(const_cast<std::byte*>(data())), size()};
  }
  std::span<std::byte> bytes() { return {const_cast<std::byte*>(data()), data_bytes()}; }

 private:
  NpyArray() = default;
  const std::byte* data() const { return static_cast<const std::byte*>(map_) + offset_; }
  void require(const char* type) const;

  std::string path_;
  std::string type_;
  std::vector<std::size_t> shape_;
  void* map_ = nullptr;
  std::size_t map_bytes_ = 0;
  std::size_t offset_ = 0;
};

}  // namespace uotbench
