#include "harness/protocol/npy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

namespace uotbench {
namespace {

// numpy.lib.format, version 1.0: magic, version, header length as little-endian u16, header padded with
// spaces so that the data starts at a multiple of 64.
constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t preamble = 10;

struct Descriptor {
  explicit Descriptor(int value) : fd(value) {}
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int fd;
};

/// Bytes of one element: booleans, integers and floats of 1, 2, 4 or 8 bytes; 0 for every other type.
std::size_t width_of(std::string_view type) {
  const bool known = type.size() == 3 && (type[0] == '<' || type[0] == '|') &&
                     std::string_view("biuf").find(type[1]) != std::string_view::npos &&
                     std::string_view("1248").find(type[2]) != std::string_view::npos;
  return known ? static_cast<std::size_t>(type[2] - '0') : 0;
}

std::size_t product(const std::vector<std::size_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

/// Bytes of a file with such elements; absent where a size_t or an off_t cannot hold them.
std::optional<std::size_t> file_bytes_of(std::size_t offset, std::size_t width,
                                         const std::vector<std::size_t>& shape) {
  std::size_t bytes = width;
  for (const std::size_t extent : shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  if (__builtin_add_overflow(bytes, offset, &bytes) || bytes > std::numeric_limits<off_t>::max())
    return std::nullopt;
  return bytes;
}

/// The value of a key of the header's Python dictionary, between these two texts; absent where there is none.
std::optional<std::string_view> value_of(std::string_view header, std::string_view key, std::string_view open,
                                         std::string_view close) {
  const auto found = header.find(key);
  if (found == std::string_view::npos) return std::nullopt;
  std::string_view rest = header.substr(found + key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (!rest.starts_with(open)) return std::nullopt;
  rest.remove_prefix(open.size());
  const auto end = rest.find(close);
  return end == std::string_view::npos ? std::nullopt : std::optional(rest.substr(0, end));
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

/// A header may be 64 KiB of anything.
std::string shortened(std::string_view text) {
  return text.size() <= 40 ? std::string(text) : std::string(text.substr(0, 37)) + "...";
}

std::string header_text(const std::string& type, const std::vector<std::size_t>& shape) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                   fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  header.append((64 - (preamble + header.size() + 1) % 64) % 64, ' ');
  return header + '\n';
}

}  // namespace

NpyArray NpyArray::open(const std::string& path, bool writable) {
  const auto fail = [&](const std::string& what) -> Error {
    return Error(fmt::format("{}: {}", path, what));
  };
  const Descriptor file(::open(path.c_str(), (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK));
  if (file.fd < 0) throw fail(std::strerror(errno));
  struct stat status {};
  if (::fstat(file.fd, &status) != 0 || !S_ISREG(status.st_mode)) throw fail("not a regular file");
  const auto file_bytes = static_cast<std::size_t>(status.st_size);

  std::string start(preamble, '\0');
  if (::pread(file.fd, start.data(), preamble, 0) != static_cast<ssize_t>(preamble) ||
      !start.starts_with(magic))
    throw fail("not an .npy file");
  const int major = static_cast<unsigned char>(start[6]);
  if (major != 1) throw fail(fmt::format("NPY format {}.0; save it as version 1.0 (numpy.save does)", major));
  const std::size_t length =
      static_cast<unsigned char>(start[8]) + 256u * static_cast<unsigned char>(start[9]);
  std::string header(length, '\0');
  if (::pread(file.fd, header.data(), length, preamble) != static_cast<ssize_t>(length))
    throw fail("cut off within its header");

  NpyArray array;
  array.path_ = path;
  const auto type = value_of(header, "'descr':", "'", "'"),
             order = value_of(header, "'fortran_order':", "", ","),
             shape = value_of(header, "'shape':", "(", ")");
  if (!type || !order || !shape) throw fail("its header lacks a plain descr, fortran_order or shape");
  array.type_ = *type;
  if (array.type_.starts_with('>'))
    throw fail(fmt::format("big endian ({}); save it little endian", shortened(array.type_)));
  if (width_of(array.type_) == 0)
    throw fail(
        fmt::format("elements of type {}; f32 (<f4) or f64 (<f8) would be right", shortened(array.type_)));
  if (*order != "False") throw fail("Fortran order; save numpy.ascontiguousarray(x)");
  const auto sizes = extents(*shape);
  if (!sizes) throw fail(fmt::format("({}) is no shape", shortened(*shape)));
  array.shape_ = *sizes;
  array.offset_ = preamble + length;
  array.map_bytes_ = file_bytes;
  const auto promised = file_bytes_of(array.offset_, width_of(array.type_), array.shape_);
  if (!promised) throw fail(fmt::format("a shape of ({}) is more than any file holds", shortened(*shape)));
  if (file_bytes < *promised)
    throw fail(fmt::format("holds {} bytes, its header promises {}", file_bytes, *promised));
  if (array.offset_ % width_of(array.type_) != 0)
    throw fail(fmt::format("its elements start at byte {}, which is not aligned; save it with numpy.save",
                           array.offset_));
  array.map_ = ::mmap(nullptr, file_bytes, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, file.fd, 0);
  if (array.map_ == MAP_FAILED) {
    array.map_ = nullptr;
    throw fail(fmt::format("cannot be mapped: {}", std::strerror(errno)));
  }
  return array;
}

NpyArray NpyArray::create(const std::string& path, const std::string& type,
                          const std::vector<std::size_t>& shape) {
  const std::string header = header_text(type, shape);
  const auto wanted = file_bytes_of(preamble + header.size(), width_of(type), shape);
  if (width_of(type) == 0 || !wanted)
    throw Error(fmt::format("{}: no array of {} x {}", path, type, fmt::join(shape, " x ")));
  const std::size_t bytes = *wanted;
  {
    // Never through what lies there: a link would lead to somebody's file.
    ::unlink(path.c_str());
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (file.fd < 0) throw Error(fmt::format("{}: {}", path, std::strerror(errno)));
    std::string start = std::string(magic) + '\1' + '\0';
    start += static_cast<char>(header.size() % 256);
    start += static_cast<char>(header.size() / 256);
    start += header;
    // posix_fallocate and not ftruncate: a full shared memory must be an error here, not SIGBUS later.
    const int error = ::posix_fallocate(file.fd, 0, static_cast<off_t>(bytes));
    if (error != 0 || ::pwrite(file.fd, start.data(), start.size(), 0) != static_cast<ssize_t>(start.size()))
      throw Error(
          fmt::format("{}: no room for {} bytes: {}", path, bytes, std::strerror(error ? error : errno)));
  }
  return open(path, true);
}

NpyArray::NpyArray(NpyArray&& other) noexcept { *this = std::move(other); }

NpyArray& NpyArray::operator=(NpyArray&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(type_, other.type_);
  std::swap(shape_, other.shape_);
  std::swap(map_, other.map_);
  std::swap(map_bytes_, other.map_bytes_);
  std::swap(offset_, other.offset_);
  return *this;
}

NpyArray::~NpyArray() {
  if (map_) ::munmap(map_, map_bytes_);
}

std::size_t NpyArray::size() const { return product(shape_); }
std::size_t NpyArray::data_bytes() const { return size() * width_of(type_); }

void NpyArray::require(const char* type) const {
  if (type_ != type) throw Error(fmt::format("{}: holds {}, not {}", path_, type_, type));
}

}  // namespace uotbench
