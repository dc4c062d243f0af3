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

#include "harness/protocol/memory_folder.hpp"
#include "harness/protocol/npy_header.hpp"
#include "results/base/error.hpp"

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

/// Of an NPY type with its endianness; null: no numbers.
Reader reader_of_npy(std::string_view type) {
  const bool known = !type.empty() && std::string_view("<>|=").find(type[0]) != std::string_view::npos;
  return known ? reader_of(type.substr(1)) : nullptr;
}

constexpr const char* no_numbers =
    "elements of type {}; expected floats of 2, 4 or 8 bytes, integers or booleans";

/// Bytes from element to element of Fortran order.
std::vector<std::ptrdiff_t> fortran_strides(const std::vector<std::size_t>& shape, std::size_t width) {
  std::vector<std::size_t> turned(shape.rbegin(), shape.rend());
  std::vector<std::ptrdiff_t> strides = c_strides(turned, width);
  std::ranges::reverse(strides);
  return strides;
}

}  // namespace

AnyNpy AnyNpy::in_memory(const std::string& path) {
  const auto found = memory_array(path);
  if (!found) throw Error(fmt::format("{}: not given", path));
  AnyNpy array;
  array.read_ = reader_of_npy(found->type);
  if (!array.read_) throw Error(fmt::format("{}: {}", path, fmt::format(no_numbers, found->type)));
  array.width_ = static_cast<std::size_t>(found->type[2] - '0');
  array.swapped_ = found->type[0] == '>';
  array.shape_ = found->shape;
  if (found->strides != c_strides(found->shape, array.width_)) array.strides_ = found->strides;
  array.data_ = found->data;
  return array;
}

AnyNpy AnyNpy::open(const std::string& path) {
  if (is_in_memory(path)) return in_memory(path);
  const NpyFile file(path, false);
  const NpyHeader header = npy_header(file, 3);
  AnyNpy array;
  array.read_ = reader_of_npy(header.type);
  if (!array.read_) file.fail(fmt::format(no_numbers, shortened_header(header.type)));
  if (header.order != "True" && header.order != "False")
    file.fail(fmt::format("fortran_order is {}; expected True or False", shortened_header(header.order)));
  array.width_ = static_cast<std::size_t>(header.type[2] - '0');
  array.swapped_ = header.type[0] == '>';
  array.shape_ = npy_shape(file, header, array.width_);
  if (header.order == "True") array.strides_ = fortran_strides(array.shape_, array.width_);
  array.map_ = file.map();
  array.data_ = static_cast<const std::byte*>(array.map_) + header.offset;
  array.map_bytes_ = file.bytes;
  return array;
}

AnyNpy::AnyNpy(AnyNpy&& other) noexcept { *this = std::move(other); }

AnyNpy& AnyNpy::operator=(AnyNpy&& other) noexcept {
  std::swap(shape_, other.shape_);
  std::swap(strides_, other.strides_);
  std::swap(swapped_, other.swapped_);
  std::swap(width_, other.width_);
  std::swap(data_, other.data_);
  std::swap(read_, other.read_);
  std::swap(map_, other.map_);
  std::swap(map_bytes_, other.map_bytes_);
  return *this;
}

AnyNpy::~AnyNpy() {
  if (map_) ::munmap(map_, map_bytes_);
}

template <class T>
void AnyNpy::read_as(std::size_t first, std::span<double> to) const {
  const std::byte* const from = data_ + first * sizeof(T);
  for (std::size_t k = 0; k < to.size(); ++k) {
    T value;
    std::memcpy(&value, from + k * sizeof(T), sizeof(T));
    to[k] = static_cast<double>(value);
  }
}

void AnyNpy::read(std::size_t first, std::span<double> to) const {
  const bool plain = strides_.empty() && !swapped_;
  if (plain && read_ == static_cast<Reader>(number<float>)) return read_as<float>(first, to);
  if (plain && read_ == static_cast<Reader>(number<double>)) return read_as<double>(first, to);
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = (*this)[first + k];
}

std::size_t AnyNpy::size() const {
  return std::accumulate(shape_.begin(), shape_.end(), std::size_t{1}, std::multiplies<>());
}

std::ptrdiff_t AnyNpy::offset_of(std::size_t index) const {
  std::ptrdiff_t offset = 0;
  for (std::size_t axis = shape_.size(); axis-- > 0; index /= shape_[axis])
    offset += static_cast<std::ptrdiff_t>(index % shape_[axis]) * strides_[axis];
  return offset;
}

}  // namespace uotbench
