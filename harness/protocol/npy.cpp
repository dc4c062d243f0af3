#include "harness/protocol/npy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <numeric>
#include <regex>
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

std::size_t product(const std::vector<std::size_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::size_t width_of(const std::string& type) {
  return type.size() == 3 && std::isdigit(static_cast<unsigned char>(type[2]))
             ? static_cast<std::size_t>(type[2] - '0')
             : 0;
}

std::string header_text(const std::string& type, const std::vector<std::size_t>& shape) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                   fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  header.append((64 - (preamble + header.size() + 1) % 64) % 64, ' ');
  return header + '\n';
}

}  // namespace

NpyArray NpyArray::open(const std::filesystem::path& path, bool writable) {
  const auto fail = [&](const std::string& what) -> Error {
    return Error(fmt::format("{}: {}", path.string(), what));
  };
  const Descriptor file(::open(path.c_str(), (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC));
  if (file.fd < 0) throw fail(std::strerror(errno));
  struct stat status {};
  ::fstat(file.fd, &status);
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

  std::smatch found;
  NpyArray array;
  array.path_ = path;
  if (!std::regex_search(header, found, std::regex("'descr': *'([^']*)'")))
    throw fail("a header without a plain descr");
  array.type_ = found[1];
  if (array.type_.starts_with('>'))
    throw fail(fmt::format("big endian ({}); save it little endian", array.type_));
  if (width_of(array.type_) == 0)
    throw fail(fmt::format("elements of type {}; f32 (<f4) or f64 (<f8) would be right", array.type_));
  if (header.find("'fortran_order': False") == std::string::npos)
    throw fail("Fortran order; save numpy.ascontiguousarray(x)");
  if (!std::regex_search(header, found, std::regex("'shape': *\\(([^)]*)\\)")))
    throw fail("a header without a shape");
  const std::string dims = found[1];
  const std::regex number("[0-9]+");
  for (std::sregex_iterator it(dims.begin(), dims.end(), number); it != std::sregex_iterator(); ++it)
    array.shape_.push_back(std::stoull(it->str()));
  array.offset_ = preamble + length;
  array.map_bytes_ = file_bytes;
  if (file_bytes < array.offset_ + array.data_bytes())
    throw fail(fmt::format("holds {} bytes, its header promises {}", file_bytes,
                           array.offset_ + array.data_bytes()));
  array.map_ = ::mmap(nullptr, file_bytes, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, file.fd, 0);
  if (array.map_ == MAP_FAILED) {
    array.map_ = nullptr;
    throw fail(fmt::format("cannot be mapped: {}", std::strerror(errno)));
  }
  return array;
}

NpyArray NpyArray::create(const std::filesystem::path& path, const std::string& type,
                          const std::vector<std::size_t>& shape) {
  const std::string header = header_text(type, shape);
  const std::size_t bytes = preamble + header.size() + width_of(type) * product(shape);
  {
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.fd < 0) throw Error(fmt::format("{}: {}", path.string(), std::strerror(errno)));
    std::string start = std::string(magic) + '\1' + '\0';
    start += static_cast<char>(header.size() % 256);
    start += static_cast<char>(header.size() / 256);
    start += header;
    // posix_fallocate and not ftruncate: a full shared memory must be an error here, not SIGBUS later.
    const int error = ::posix_fallocate(file.fd, 0, static_cast<off_t>(bytes));
    if (error != 0 || ::pwrite(file.fd, start.data(), start.size(), 0) != static_cast<ssize_t>(start.size()))
      throw Error(fmt::format("{}: no room for {} bytes: {}", path.string(), bytes,
                              std::strerror(error ? error : errno)));
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
  if (type_ != type) throw Error(fmt::format("{}: holds {}, not {}", path_.string(), type_, type));
}

}  // namespace uotbench
