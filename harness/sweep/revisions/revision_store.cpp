#include "harness/sweep/revisions/revision_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/whole_file.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* marker = "built.json";

fs::path lock_of(const fs::path& build) { return build.string() + ".lock"; }

bool is_build(const fs::path& folder) {
  const std::string name = folder.filename();
  return name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) entries.push_back(entry.path());
  return entries;
}

/// When the build was last used; absent: it was never finished.
std::optional<fs::file_time_type> used(const fs::path& build) {
  std::error_code missing;
  const auto time = fs::last_write_time(build / marker, missing);
  return missing ? std::nullopt : std::optional(time);
}

/// Tries what others do not use.
void remove_unused(const fs::path& build) {
  const auto lock = FileLock::attempt(lock_of(build), FileLock::Kind::exclusive);
  if (!lock) return;
  std::error_code ignored;
  fs::remove(build / marker, ignored);  // first: half a build is none
  fs::remove_all(build, ignored);
  fs::remove(lock_of(build), ignored);
}

}  // namespace

std::optional<FileLock> FileLock::attempt(const fs::path& file, Kind kind) {
  for (;;) {
    FileLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (lock.fd_ < 0) throw Error(fmt::format("{}: {}", file.string(), std::strerror(errno)));
    if (::flock(lock.fd_, (kind == Kind::shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return std::nullopt;
      throw Error(fmt::format("{} cannot be locked: {}", file.string(), std::strerror(errno)));
    }
    // Whoever held it may have removed the file: then the lock is on one that nobody else will find.
    struct stat held, there;
    if (::fstat(lock.fd_, &held) == 0 && ::stat(file.c_str(), &there) == 0 && held.st_ino == there.st_ino)
      return lock;
  }
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

RevisionStore::RevisionStore(fs::path folder) : folder_(std::move(folder)) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed || ::access(folder_.c_str(), W_OK) != 0)
    throw UsageError(fmt::format("{}: builds of revisions cannot be kept there: {}", folder_.string(),
                                 failed ? failed.message() : std::strerror(errno)));
  folder_ = fs::canonical(folder_);
}

FileLock RevisionStore::lock(const Json& key, const volatile sig_atomic_t* stop,
                             const std::function<void()>& on_wait) const {
  // A key that only looks the same is told by the marker, which holds it whole.
  const fs::path file = folder_ / fmt::format("key-{}.lock", hash_text(to_line(key)));
  for (bool waited = false;; waited = true) {
    if (auto lock = FileLock::attempt(file, FileLock::Kind::exclusive)) return std::move(*lock);
    if (!waited && on_wait) on_wait();
    if (stop && *stop) throw Interrupted{};
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

std::optional<StoredBuild> RevisionStore::find(const Json& key) const {
  for (const auto& folder : entries_of(folder_)) {
    if (!is_build(folder) || !used(folder)) continue;
    auto lock = FileLock::attempt(lock_of(folder), FileLock::Kind::shared);
    if (!lock) continue;
    std::ifstream in(folder / marker);
    if (std::string line; !std::getline(in, line) || line != to_line(key)) continue;
    std::error_code ignored;
    fs::last_write_time(folder / marker, fs::file_time_type::clock::now(), ignored);
    return StoredBuild{folder, std::make_shared<FileLock>(std::move(*lock))};
  }
  return std::nullopt;
}

StoredBuild RevisionStore::fresh() const {
  std::random_device random;
  for (;;) {
    const fs::path folder = folder_ / fmt::format("{:08x}{:08x}", random(), random());
    // Locked before it is there: nobody takes it for an abandoned one.
    auto lock = FileLock::attempt(lock_of(folder), FileLock::Kind::shared);
    if (!lock || !fs::create_directory(folder)) continue;
    StoredBuild build{folder, std::make_shared<FileLock>(std::move(*lock))};
    fs::create_directory(build.checkout());
    fs::create_directory(build.prefix());
    return build;
  }
}

void RevisionStore::keep(const StoredBuild& build, const Json& key) const {
  write_whole(build.folder / marker, to_line(key) + "\n");
}

void RevisionStore::discard(const StoredBuild& build) const {
  std::error_code ignored;
  fs::remove(build.folder / marker, ignored);
  fs::remove_all(build.folder, ignored);
}

void RevisionStore::tidy(std::size_t newest) const {
  std::vector<std::pair<fs::file_time_type, fs::path>> whole;
  for (const auto& entry : entries_of(folder_)) {
    if (!is_build(entry)) continue;
    if (const auto time = used(entry))
      whole.emplace_back(*time, entry);
    else
      remove_unused(entry);
  }
  std::ranges::sort(whole, std::greater());
  for (std::size_t i = newest; i < whole.size(); ++i) remove_unused(whole[i].second);

  // Logs of what is gone, but for the last ones, and locks of nothing.
  std::vector<std::pair<fs::file_time_type, fs::path>> logs;
  std::error_code ignored;
  for (const auto& entry : entries_of(folder_)) {
    const fs::path build = entry.parent_path() / entry.stem();
    if (entry.extension() == ".log" && !fs::exists(build))
      logs.emplace_back(fs::last_write_time(entry, ignored), entry);
    if (entry.extension() == ".lock" && !fs::exists(build))
      if (const auto lock = FileLock::attempt(entry, FileLock::Kind::exclusive)) fs::remove(entry, ignored);
  }
  std::ranges::sort(logs, std::greater());
  for (std::size_t i = newest; i < logs.size(); ++i) fs::remove(logs[i].second, ignored);
}

}  // namespace uotbench
