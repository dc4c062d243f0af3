#include "tools/uotbench/packing/zip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string_view>
#include <utility>

#include "results/base/error.hpp"

#if UOTBENCH_WITH_MINIZIP
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <sys/stat.h>

#include "harness/host/process/files.hpp"
#endif

namespace uotbench {
namespace fs = std::filesystem;

#if UOTBENCH_WITH_MINIZIP

namespace {

constexpr std::size_t part_size = 1 << 16;
constexpr uLong made_by_unix = 3 << 8 | 20, regular_file = static_cast<uLong>(S_IFREG | 0644) << 16;
constexpr uLong first_day = 1 << 5 | 1;  // 1980-01-01, as DOS counted days

/// What our own files are called, which no system takes for another place.
bool is_plain_name(std::string_view name) {
  const auto letter = [](unsigned char c) {
    return c < 128 &&
           (std::isalnum(c) || std::string_view("._+-").find(static_cast<char>(c)) != std::string_view::npos);
  };
  if (name.empty() || name.size() > 255) return false;
  while (true) {
    const auto slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == "." || part == ".." || !std::ranges::all_of(part, letter)) return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

class ZipReader {
 public:
  ZipReader(const fs::path& path, const ZipLimits& limits)
      : path_(path.string()), limits_(limits), zip_(::unzOpen64(path_.c_str()), ::unzClose) {
    if (!zip_) unreadable("it has no table of contents");
  }

  PackedFiles files() {
    PackedFiles all;
    int state = ::unzGoToFirstFile(zip_.get());
    for (; state == UNZ_OK; state = ::unzGoToNextFile(zip_.get())) {
      unz_file_info64 info;
      char told[longest_name + 1] = {};
      if (::unzGetCurrentFileInfo64(zip_.get(), &info, told, longest_name, nullptr, 0, nullptr, 0) != UNZ_OK)
        unreadable("its table of contents is damaged");
      const std::string name(told, std::min<std::size_t>(info.size_filename, longest_name));
      require_plain(info, name);
      if (name.ends_with('/')) continue;
      if (all.size() >= limits_.files)
        refuse(name, fmt::format("there are more than {} files", limits_.files));
      require_room(name, info.uncompressed_size);
      const auto [place, fresh] = all.try_emplace(name, contents(name));
      if (!fresh) refuse(name, "it is there twice");
    }
    if (state != UNZ_END_OF_LIST_OF_FILE) unreadable("its table of contents is damaged");
    return all;
  }

 private:
  static constexpr std::size_t longest_name = 1024;

  [[noreturn]] void unreadable(const std::string& why) const {
    throw UsageError(
        fmt::format("{}: no ZIP file that can be read: {}; uotbench pack writes one", path_, why));
  }
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const {
    throw UsageError(fmt::format("{}: {}: refused, {}; nothing was unpacked", path_, on_one_line(name), why));
  }

  void require_plain(const unz_file_info64& info, const std::string& name) const {
    std::string plain = name;
    std::ranges::replace(plain, '\\', '/');  // some systems take both
    if (plain.ends_with('/')) plain.pop_back();
    if (plain.starts_with('/')) refuse(name, "its path is absolute");
    if (("/" + plain + "/").find("/../") != std::string::npos)
      refuse(name, "its path leads out of the folder");
    if (!is_plain_name(plain)) refuse(name, "no name of letters, digits and . _ + - in folders");
    const auto type = info.external_fa >> 16 & S_IFMT;  // 0 where a system without such types made it
    if (type == S_IFLNK) refuse(name, "it is a link");
    if (type != 0 && type != S_IFREG && type != S_IFDIR) refuse(name, "it is no file");
    if (info.flag & 1) refuse(name, "it is encrypted");
  }

  /// What entries say of themselves is checked before they are read; what they are, while they are.
  void require_room(const std::string& name, std::uint64_t more) const {
    if (more > limits_.bytes - read_)
      refuse(name, fmt::format("with it the files are larger than {} bytes", limits_.bytes));
  }

  std::string contents(const std::string& name) {
    if (::unzOpenCurrentFile(zip_.get()) != UNZ_OK) refuse(name, "it is not what the table of contents says");
    std::string text;
    char part[part_size];
    for (;;) {
      const int count = ::unzReadCurrentFile(zip_.get(), part, sizeof part);
      if (count < 0) refuse(name, "it cannot be unpacked: its data are damaged");
      if (count == 0) break;
      require_room(name, static_cast<std::uint64_t>(count));
      text.append(part, static_cast<std::size_t>(count));
      read_ += static_cast<std::size_t>(count);
    }
    if (::unzCloseCurrentFile(zip_.get()) != UNZ_OK)
      refuse(name, "it cannot be unpacked: its checksum is another");
    return text;
  }

  std::string path_;
  ZipLimits limits_;
  std::size_t read_ = 0;
  std::unique_ptr<void, int (*)(unzFile)> zip_;
};

}  // namespace

void require_zip() {}

std::string zip_of(const PackedFiles& files) {
  const TemporaryFolder folder("zip");
  const fs::path path = folder.path() / "all.zip";
  zipFile zip = ::zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  const auto require = [&](bool done, const std::string& what) {
    if (done) return;
    if (zip) ::zipClose(zip, nullptr);
    throw Error(fmt::format("the ZIP file cannot be made: {} cannot be written to {}", what,
                            folder.path().parent_path().string()));
  };
  require(zip != nullptr, "it");
  for (const auto& [name, contents] : files) {
    zip_fileinfo info{};
    info.dosDate = first_day << 16;
    info.external_fa = regular_file;
    require(::zipOpenNewFileInZip4_64(zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED,
                                      Z_DEFAULT_COMPRESSION, 0, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY,
                                      nullptr, 0, made_by_unix, 0, contents.size() >> 32 != 0) == ZIP_OK,
            name);
    for (std::size_t at = 0; at < contents.size(); at += part_size) {
      const auto count = static_cast<unsigned>(std::min(contents.size() - at, part_size));
      require(::zipWriteInFileInZip(zip, contents.data() + at, count) == ZIP_OK, name);
    }
    require(::zipCloseFileInZip(zip) == ZIP_OK, name);
  }
  require(::zipClose(std::exchange(zip, nullptr), nullptr) == ZIP_OK, "its table of contents");
  auto text = read_text(path);
  require(text.has_value(), "it");
  return std::move(*text);
}

PackedFiles read_zip(const fs::path& path, const ZipLimits& limits) {
  return ZipReader(path, limits).files();
}

#else

void require_zip() {
  throw UsageError(
      "pack: this uotbench was built without minizip, which writes and reads ZIP files; see uotbench "
      "doctor");
}
std::string zip_of(const PackedFiles&) {
  require_zip();
  return "";
}
PackedFiles read_zip(const fs::path&, const ZipLimits&) {
  require_zip();
  return {};
}

#endif

}  // namespace uotbench
