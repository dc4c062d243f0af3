#include "harness/protocol/npy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include "harness/protocol/any_npy.hpp"
#include "harness/protocol/memory_folder.hpp"

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

std::string header_text(const std::string& type, const std::vector<std::size_t>& shape) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                   fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  header.append((64 - (preamble + header.size() + 1) % 64) % 64, ' ');
  return header + '\n';
}

}  // namespace

NpyArray NpyArray::open(const std::string& path, bool writable) {
  if (is_in_memory(path)) {
    const auto found = memory_array(path);
    if (!found) throw Error(fmt::format("{}: not given", path));
    if (width_of(found->type) == 0)
      throw Error(fmt::format("{}: elements of type {}; expected f32 (<f4) or f64 (<f8)", path, found->type));
    if (found->strides != c_strides(found->shape, width_of(found->type)))
      throw Error(fmt::format("{}: not in C order; expected numpy.ascontiguousarray(x)", path));
    NpyArray array;
    array.path_ = path;
    array.type_ = found->type;
    array.shape_ = found->shape;
    array.map_ = found->data;
    return array;
  }
  const NpyFile file(path, writable);
  const NpyHeader header = npy_header(file, 1);
  NpyArray array;
  array.path_ = path;
  array.type_ = header.type;
  if (array.type_.starts_with('>'))
    file.fail(fmt::format("big endian ({}); save it little endian", shortened_header(array.type_)));
  const std::size_t width = width_of(array.type_);
  if (width == 0)
    file.fail(
        fmt::format("elements of type {}; expected f32 (<f4) or f64 (<f8)", shortened_header(array.type_)));
  if (header.order != "False") file.fail("Fortran order; save numpy.ascontiguousarray(x)");
  array.shape_ = npy_shape(file, header, width);
  array.offset_ = header.offset;
  array.map_bytes_ = file.bytes;
  if (array.offset_ % width != 0)
    file.fail(fmt::format("its elements start at byte {}, which is not aligned; save it with numpy.save",
                          array.offset_));
  array.map_ = file.map();
  return array;
}

NpyArray NpyArray::create(const std::string& path, const std::string& type,
                          const std::vector<std::size_t>& shape) {
  const bool in_memory = is_in_memory(path);
  const std::string header = in_memory ? "" : header_text(type, shape);
  const auto wanted = npy_file_bytes(in_memory ? 0 : preamble + header.size(), width_of(type), shape);
  if (width_of(type) == 0 || !wanted)
    throw Error(fmt::format("{}: no array of {} x {}", path, type, fmt::join(shape, " x ")));
  const std::size_t bytes = *wanted;
  if (in_memory) {
    make_memory_array(path, type, shape, bytes);
    return open(path, true);
  }
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
  if (map_bytes_ > 0) ::munmap(map_, map_bytes_);  // 0: of a folder in memory
}

std::size_t NpyArray::size() const { return product(shape_); }
std::size_t NpyArray::data_bytes() const { return size() * width_of(type_); }

void NpyArray::require(const char* type) const {
  if (type_ != type) throw Error(fmt::format("{}: holds {}, not {}", path_, type_, type));
}

}  // namespace uotbench
