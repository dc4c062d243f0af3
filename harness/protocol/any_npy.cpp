#include "harness/protocol/any_npy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "harness/protocol/memory_folder.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

constexpr std::string_view npy_magic("\x93NUMPY", 6);

/// The value of a key of the header's Python dictionary, between these two texts; absent where there is none.
std::optional<std::string> value_of(std::string_view header, std::string_view key, std::string_view open,
                                    std::string_view close) {
  const auto found = header.find(key);
  if (found == std::string_view::npos) return std::nullopt;
  std::string_view rest = header.substr(found + key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (!rest.starts_with(open)) return std::nullopt;
  rest.remove_prefix(open.size());
  const auto end = rest.find(close);
  return end == std::string_view::npos ? std::nullopt : std::optional(std::string(rest.substr(0, end)));
}

/// "3, 4", "3," or "": extents separated by commas; absent for anything else.
std::optional<std::vector<std::size_t>> extents(std::string_view text) {
  std::vector<std::size_t> shape;
  const char *at = text.data(), *const end = at + text.size();
  while (at != end) {
    std::size_t extent = 0;
    const auto [rest, error] = std::from_chars(at, end, extent);
    if (error != std::errc() || (rest != end && *rest != ',')) return std::nullopt;
    shape.push_back(extent);
    for (at = rest; at != end && (*at == ',' || *at == ' ');) ++at;
  }
  return shape;
}

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

NpyFile::NpyFile(const std::string& its_path, bool is_writable) : path(its_path), writable(is_writable) {
  descriptor = ::open(path.c_str(), (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(std::strerror(errno));
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);  // the destructor of what was never made does not run
    fail("not a regular file");
  }
  bytes = static_cast<std::size_t>(status.st_size);
}

NpyFile::~NpyFile() { ::close(descriptor); }

void* NpyFile::map() const {
  void* const all =
      ::mmap(nullptr, bytes, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, descriptor, 0);
  if (all == MAP_FAILED) fail(fmt::format("cannot be mapped: {}", std::strerror(errno)));
  return all;
}

void NpyFile::fail(const std::string& what) const { throw Error(fmt::format("{}: {}", path, what)); }

NpyHeader npy_header(const NpyFile& file, int last_version) {
  // Magic, version, and the header's length: two bytes in format 1.0, four later.
  std::string start(12, '\0');
  const ::ssize_t read = ::pread(file.descriptor, start.data(), start.size(), 0);
  if (read < 10 || !start.starts_with(npy_magic)) file.fail("not an .npy file");
  const auto byte = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(start[at])}; };
  const std::size_t version = byte(6);
  if (version < 1 || version > static_cast<std::size_t>(last_version))
    file.fail(last_version == 1
                  ? fmt::format("NPY format {}.0; save it as version 1.0 (numpy.save does)", version)
                  : fmt::format("NPY format {}.0; expected 1.0 to {}.0", version, last_version));
  const std::size_t preamble = version == 1 ? 10 : 12;
  std::size_t length = byte(8) + 256 * byte(9);
  if (version > 1) length += (byte(10) << 16) + (byte(11) << 24);
  if (preamble + length > file.bytes) file.fail("cut off within its header");
  std::string header(length, '\0');
  if (::pread(file.descriptor, header.data(), length, static_cast<off_t>(preamble)) !=
      static_cast<::ssize_t>(length))
    file.fail("cut off within its header");
  const auto type = value_of(header, "'descr':", "'", "'"),
             order = value_of(header, "'fortran_order':", "", ","),
             shape = value_of(header, "'shape':", "(", ")");
  if (!type || !order || !shape) file.fail("its header lacks a plain descr, fortran_order or shape");
  return {*type, *order, *shape, preamble + length};
}

std::vector<std::size_t> npy_shape(const NpyFile& file, const NpyHeader& header, std::size_t width) {
  const auto shape = extents(header.shape);
  if (!shape) file.fail(fmt::format("({}) is no shape", shortened_header(header.shape)));
  const auto promised = npy_file_bytes(header.offset, width, *shape);
  if (!promised)
    file.fail(fmt::format("a shape of ({}) is more than any file holds", shortened_header(header.shape)));
  if (file.bytes < *promised)
    file.fail(fmt::format("holds {} bytes, its header promises {}", file.bytes, *promised));
  return *shape;
}

std::optional<std::size_t> npy_file_bytes(std::size_t offset, std::size_t width,
                                          const std::vector<std::size_t>& shape) {
  std::size_t bytes = width;
  for (const std::size_t extent : shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  if (__builtin_add_overflow(bytes, offset, &bytes) ||
      bytes > static_cast<std::size_t>(std::numeric_limits<off_t>::max()))
    return std::nullopt;
  return bytes;
}

std::string shortened_header(std::string_view text) {
  return text.size() <= 40 ? std::string(text) : std::string(text.substr(0, 37)) + "...";
}

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
