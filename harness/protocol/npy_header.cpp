#include "harness/protocol/npy_header.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>

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

}  // namespace uotbench
