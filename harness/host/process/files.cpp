#include "harness/host/process/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <utility>

namespace uotbench {

std::string trimmed(const std::string& text) {
  constexpr auto blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::string> read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string bytes;
  for (char piece[4096]; in.read(piece, sizeof piece), in.gcount() > 0;)
    bytes.append(piece, static_cast<std::size_t>(in.gcount()));
  return bytes;
}

std::optional<std::string> read_text(const std::filesystem::path& file) {
  const auto bytes = read_bytes(file);
  if (!bytes) return std::nullopt;
  std::string text = trimmed(*bytes);
  if (text.empty()) return std::nullopt;
  return text;
}

std::optional<double> read_number(const std::filesystem::path& file) {
  const auto text = read_text(file);
  double value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc{})
    return std::nullopt;
  return value;
}

std::vector<std::string> read_lines(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void remove_tree(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::symlink_status(path, ignored).type() == fs::file_type::directory) {
    fs::permissions(path, fs::perms::owner_all, fs::perm_options::add, ignored);
    for (auto entry = fs::recursive_directory_iterator(path, ignored); entry != fs::end(entry);
         entry.increment(ignored))
      if (entry->symlink_status(ignored).type() == fs::file_type::directory)
        fs::permissions(entry->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
  }
  fs::remove_all(path, ignored);
}

namespace fs = std::filesystem;

namespace {

constexpr std::string_view random_end = "-XXXXXX";

bool is_open_as(int fd, const fs::path& folder) {
  struct stat open {};
  struct stat named {};
  return ::fstat(fd, &open) == 0 && ::lstat(folder.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

/// A locked descriptor of the folder, or -1 where somebody holds it, or took it away before the lock was
/// there.
int lock_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) == 0 && is_open_as(fd, folder)) return fd;
  if (fd >= 0) ::close(fd);
  return -1;
}

void remove_abandoned(const fs::path& root, const std::string& name) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with(name + '-') || file.size() != name.size() + random_end.size()) continue;
    if (const int fd = lock_folder(entry.path()); fd >= 0) {
      remove_tree(entry.path());
      ::close(fd);
    }
  }
}

}  // namespace

fs::path temporary_root() {
  const char* tmp = std::getenv("TMPDIR");
  return tmp && *tmp ? tmp : "/tmp";
}

LockedFolder::LockedFolder(const fs::path& root, const std::string& name) {
  remove_abandoned(root, name);
  // mkdtemp's folder is not locked for an instant: another process that cleans up right then takes it away,
  // and the lock below fails. Then another is made.
  for (int attempt = 0; attempt < 3 && lock_ < 0; ++attempt) {
    std::string made = (root / (name + std::string(random_end))).string();
    if (!::mkdtemp(made.data())) return;
    path_ = made;
    lock_ = lock_folder(path_);
  }
}

bool LockedFolder::restore() {
  if (lock_ < 0) return false;
  // Likewise: between the folder and its lock another process may take it away.
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (is_open_as(lock_, path_)) return true;
    remove_tree(path_);
    if (::mkdir(path_.c_str(), S_IRWXU) != 0) continue;
    if (const int fd = lock_folder(path_); fd >= 0) ::close(std::exchange(lock_, fd));
  }
  return is_open_as(lock_, path_);
}

LockedFolder::~LockedFolder() {
  if (lock_ < 0) return;
  remove_tree(path_);
  ::close(lock_);
}

LockedFolder::LockedFolder(LockedFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

LockedFolder& LockedFolder::operator=(LockedFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

}  // namespace uotbench
