#include "harness/protocol/any_npy.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "harness/protocol/npy_header.hpp"

namespace uotbench {
namespace {

static_assert(std::endian::native == std::endian::little);

/// IEEE 754's binary16.
struct Half {
  std::uint16_t bits;
  explicit operator double() const {
    const double sign = bits & 0x8000 ? -1 : 1;
    const int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    if (exponent == 31) return fraction ? NAN : sign * INFINITY;
    return exponent == 0 ? sign * std::ldexp(fraction, -24)
                         : sign * std::ldexp(1024 + fraction, exponent - 25);
  }
};

template <class T>
double number(const std::byte* from, bool swapped) {
  std::byte bytes[sizeof(T)];
  std::memcpy(bytes, from, sizeof(T));
  if (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

using Reader = double (*)(const std::byte*, bool);
/// f4, i8, b1: what NPY calls a type, without its endianness; null: no numbers.
Reader reader_of(std::string_view type) {
  if (type == "f2") return number<Half>;
  if (type == "f4") return number<float>;
  if (type == "f8") return number<double>;
  if (type == "i1") return number<std::int8_t>;
  if (type == "i2") return number<std::int16_t>;
  if (type == "i4") return number<std::int32_t>;
  if (type == "i8") return number<std::int64_t>;
  if (type == "u1" || type == "b1") return number<std::uint8_t>;
  if (type == "u2") return number<std::uint16_t>;
  if (type == "u4") return number<std::uint32_t>;
  if (type == "u8") return number<std::uint64_t>;
  return nullptr;
}

}  // namespace

AnyNpy AnyNpy::open(const std::string& path) {
  const NpyFile file(path, false);
  const NpyHeader header = npy_header(file, 3);
  AnyNpy array;
  const bool known =
      !header.type.empty() && std::string_view("<>|=").find(header.type[0]) != std::string_view::npos;
  array.read_ = known ? reader_of(std::string_view(header.type).substr(1)) : nullptr;
  if (!array.read_)
    file.fail(fmt::format("elements of type {}; expected floats of 2, 4 or 8 bytes, integers or booleans",
                          shortened_header(header.type)));
  if (header.order != "True" && header.order != "False")
    file.fail(fmt::format("fortran_order is {}; expected True or False", shortened_header(header.order)));
  array.width_ = static_cast<std::size_t>(header.type[2] - '0');
  array.swapped_ = header.type[0] == '>';
  array.fortran_ = header.order == "True";
  array.shape_ = npy_shape(file, header, array.width_);
  array.offset_ = header.offset;
  array.map_ = file.map();
  array.map_bytes_ = file.bytes;
  return array;
}

AnyNpy::AnyNpy(AnyNpy&& other) noexcept { *this = std::move(other); }

AnyNpy& AnyNpy::operator=(AnyNpy&& other) noexcept {
  std::swap(shape_, other.shape_);
  std::swap(fortran_, other.fortran_);
  std::swap(swapped_, other.swapped_);
  std::swap(width_, other.width_);
  std::swap(offset_, other.offset_);
  std::swap(read_, other.read_);
  std::swap(map_, other.map_);
  std::swap(map_bytes_, other.map_bytes_);
  return *this;
}

AnyNpy::~AnyNpy() {
  if (map_) ::munmap(map_, map_bytes_);
}

std::size_t AnyNpy::size() const {
  return std::accumulate(shape_.begin(), shape_.end(), std::size_t{1}, std::multiplies<>());
}

std::size_t AnyNpy::in_file_order(std::size_t index) const {
  if (!fortran_) return index;
  std::size_t place = 0, stride = size();
  for (std::size_t axis = shape_.size(); axis-- > 0; index /= shape_[axis]) {
    stride /= shape_[axis];
    place += index % shape_[axis] * stride;
  }
  return place;
}

}  // namespace uotbench
