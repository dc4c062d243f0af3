#include "tools/uotbench/packing/zip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string_view>

#include "results/base/error.hpp"
#include "results/base/visible.hpp"

#if UOTBENCH_WITH_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

namespace uotbench {
namespace fs = std::filesystem;

#if UOTBENCH_WITH_ARCHIVE

namespace {

struct Freed {
  void operator()(archive* one) const { ::archive_free(one); }
  void operator()(archive_entry* one) const { ::archive_entry_free(one); }
};
using Archive = std::unique_ptr<archive, Freed>;
using Entry = std::unique_ptr<archive_entry, Freed>;

/// libarchive's own words, on one line.
std::string words_of(archive* one) {
  const char* const words = ::archive_error_string(one);
  return words ? on_one_line(words) : "it does not say why";
}

la_ssize_t append(archive*, void* text, const void* bytes, std::size_t count) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(bytes), count);
  return static_cast<la_ssize_t>(count);
}

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
  ZipReader(const fs::path& path, const ZipLimits& limits) : path_(path.string()), limits_(limits) {
    ::archive_read_support_format_zip_seekable(archive_.get());
    if (::archive_read_open_filename(archive_.get(), path_.c_str(), 1 << 16) != ARCHIVE_OK)
      throw UsageError(fmt::format("{}: no ZIP file that can be read: {}; uotbench pack writes one", path_,
                                   words_of(archive_.get())));
  }

  PackedFiles files() {
    PackedFiles all;
    for (archive_entry* entry = nullptr;;) {
      const int state = ::archive_read_next_header(archive_.get(), &entry);
      if (state == ARCHIVE_EOF) break;
      if (state != ARCHIVE_OK)
        throw UsageError(fmt::format("{}: no ZIP file that can be read: {}; uotbench pack writes one", path_,
                                     words_of(archive_.get())));
      const char* const told = ::archive_entry_pathname(entry);
      const std::string name = told ? told : "";
      require_plain(entry, name);
      if (::archive_entry_filetype(entry) == AE_IFDIR) continue;
      if (all.size() >= limits_.files)
        refuse(name, fmt::format("there are more than {} files", limits_.files));
      if (::archive_entry_size_is_set(entry)) require_room(name, ::archive_entry_size(entry));
      const auto [place, fresh] = all.try_emplace(name, contents(name));
      if (!fresh) refuse(name, "it is there twice");
    }
    return all;
  }

 private:
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const {
    throw UsageError(fmt::format("{}: {}: refused, {}; nothing was unpacked", path_, on_one_line(name), why));
  }

  void require_plain(archive_entry* entry, const std::string& name) const {
    const auto type = ::archive_entry_filetype(entry);
    std::string plain = name;
    if (type == AE_IFDIR && plain.ends_with('/')) plain.pop_back();
    if (plain.starts_with('/')) refuse(name, "its path is absolute");
    if (("/" + plain + "/").find("/../") != std::string::npos)
      refuse(name, "its path leads out of the folder");
    if (!is_plain_name(plain)) refuse(name, "no name of letters, digits and . _ + - in folders");
    if (::archive_entry_symlink(entry) || ::archive_entry_hardlink(entry) || type == AE_IFLNK)
      refuse(name, "it is a link");
    if (type != AE_IFREG && type != AE_IFDIR) refuse(name, "it is no file");
    if (::archive_entry_is_encrypted(entry)) refuse(name, "it is encrypted");
  }

  /// What entries say of themselves is checked before they are read; what they are, while they are.
  void require_room(const std::string& name, la_int64_t more) const {
    if (more < 0 || static_cast<std::uint64_t>(more) > limits_.bytes - read_)
      refuse(name, fmt::format("with it the files are larger than {} bytes", limits_.bytes));
  }

  std::string contents(const std::string& name) {
    std::string text;
    char part[1 << 16];
    for (;;) {
      const la_ssize_t count = ::archive_read_data(archive_.get(), part, sizeof part);
      if (count < 0) refuse(name, "it cannot be unpacked: " + words_of(archive_.get()));
      if (count == 0) return text;
      require_room(name, count);
      text.append(part, static_cast<std::size_t>(count));
      read_ += static_cast<std::size_t>(count);
    }
  }

  std::string path_;
  ZipLimits limits_;
  std::size_t read_ = 0;
  Archive archive_{::archive_read_new()};
};

}  // namespace

void require_zip() {}

std::string zip_of(const PackedFiles& files) {
  std::string text;
  const Archive zip(::archive_write_new());
  const auto require = [&](int state) {
    if (state != ARCHIVE_OK) throw Error(fmt::format("the ZIP file cannot be made: {}", words_of(zip.get())));
  };
  require(::archive_write_set_format_zip(zip.get()));
  require(::archive_write_zip_set_compression_deflate(zip.get()));
  require(::archive_write_set_bytes_in_last_block(zip.get(), 1));
  require(::archive_write_open(zip.get(), &text, nullptr, append, nullptr));
  for (const auto& [name, contents] : files) {
    const Entry entry(::archive_entry_new());
    ::archive_entry_set_pathname(entry.get(), name.c_str());
    ::archive_entry_set_filetype(entry.get(), AE_IFREG);
    ::archive_entry_set_perm(entry.get(), 0644);
    ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(contents.size()));
    ::archive_entry_unset_mtime(entry.get());
    require(::archive_write_header(zip.get(), entry.get()));
    if (::archive_write_data(zip.get(), contents.data(), contents.size()) !=
        static_cast<la_ssize_t>(contents.size()))
      throw Error(fmt::format("the ZIP file cannot be made: {}: {}", name, words_of(zip.get())));
  }
  require(::archive_write_close(zip.get()));
  return text;
}

PackedFiles read_zip(const fs::path& path, const ZipLimits& limits) {
  return ZipReader(path, limits).files();
}

#else

void require_zip() {
  throw UsageError(
      "pack: this uotbench was built without libarchive, which writes and reads ZIP files; see uotbench "
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
