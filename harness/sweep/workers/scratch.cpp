#include "harness/sweep/workers/scratch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "harness/host/facts/memory.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

// Long, and with a random end of six: abandoned folders of this name are removed, so no other folder may look
// like one.
constexpr std::string_view prefix = "uotbench-arrays-", random_end = "XXXXXX";

bool is_ours(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with(prefix) && name.size() == prefix.size() + random_end.size();
}

/// A locked descriptor of the folder, or -1 where somebody holds it, or took it away before the lock was
/// there.
int lock_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) == 0 && fs::exists(folder)) return fd;
  if (fd >= 0) ::close(fd);
  return -1;
}

void remove_abandoned(const fs::path& root) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    if (!is_ours(entry.path())) continue;
    if (const int fd = lock_folder(entry.path()); fd >= 0) {
      fs::remove_all(entry.path(), ignored);
      ::close(fd);
    }
  }
}

}  // namespace

Scratch::Scratch() {
  const char* tmp = std::getenv("TMPDIR");
  const fs::path roots[]{"/dev/shm", tmp && *tmp ? tmp : "/tmp"};
  Place* const places[]{&memory_, &disk_};
  for (int i = 0; i < 2; ++i) {
    remove_abandoned(roots[i]);
    // mkdtemp's folder is not locked for an instant: another run that cleans up right then takes it away, and
    // the lock below fails. Then another is made.
    for (int attempt = 0; attempt < 3 && places[i]->lock < 0; ++attempt) {
      std::string name = (roots[i] / (std::string(prefix) + std::string(random_end))).string();
      if (!::mkdtemp(name.data())) break;
      places[i]->folder = name;
      places[i]->lock = lock_folder(name);
    }
  }
  if (memory_.lock < 0 && disk_.lock < 0)
    throw Error(fmt::format("neither {} nor {} can be written: arrays have no place", roots[0].string(),
                            roots[1].string()));
}

Scratch::~Scratch() {
  std::error_code ignored;
  for (const auto& place : {memory_, disk_})
    if (place.lock >= 0) {
      fs::remove_all(place.folder, ignored);
      ::close(place.lock);
    }
}

fs::path Scratch::fresh(double bytes) {
  std::string room;
  for (const auto& place : {memory_, disk_}) {
    if (place.lock < 0) continue;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(place.folder, ignored))
      fs::remove_all(entry.path(), ignored);
    const double free = shared_memory_free(place.folder);
    // 1 MiB for headers and folders.
    if (bytes + (1 << 20) <= free) {
      fs::create_directory(place.folder / "in");
      fs::create_directory(place.folder / "out");
      return place.folder;
    }
    room += fmt::format("; {} has {}", place.folder.parent_path().string(), format_bytes(free));
  }
  throw Error(fmt::format("the arrays need {}{}", format_bytes(bytes), room));
}

}  // namespace uotbench
