#include "harness/worker/alone/folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <string>
#include <system_error>

#include "results/base/error.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace fs = std::filesystem;

ArraysFolder::ArraysFolder(double bytes) {
  const char* tmp = std::getenv("TMPDIR");
  std::string room;
  for (const fs::path root : {"/dev/shm", tmp && *tmp ? tmp : "/tmp"}) {
    std::error_code error;
    const auto space = fs::space(root, error);
    const double free = error ? 0 : static_cast<double>(space.available);
    // 1 MiB for headers and folders.
    if (bytes + (1 << 20) <= free && make_in(root)) break;
    room += fmt::format("; {} has {}", root.string(), format_bytes(free));
  }
  if (folder_.empty())
    throw Error(
        fmt::format("the arrays need {} in a folder that can be written{}", format_bytes(bytes), room));
  // A handler could not remove files, and gdb would show it; a process of its own can, whatever ends this
  // one.
  janitor_.emplace(
      Child::Kind::survivor,
      std::vector<std::string>{"/bin/sh", "-c", "read -r _; rm -rf -- \"$0\"", folder_.string()});
  fs::create_directory(in());
  fs::create_directory(out());
}

/// Names and locks it as a run's folders are, which remove what nobody holds: the last net, for a machine's
/// killing everything at once.
bool ArraysFolder::make_in(const fs::path& root) {
  // A run that cleans up in the instant before the lock takes the folder away; then another is made.
  for (int attempt = 0; attempt < 3; ++attempt) {
    std::string name = (root / "uotbench-arrays-XXXXXX").string();
    if (!::mkdtemp(name.data())) return false;
    lock_ = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ >= 0 && ::flock(lock_, LOCK_EX | LOCK_NB) == 0 && fs::exists(name)) {
      folder_ = name;
      return true;
    }
    if (lock_ >= 0) ::close(lock_);
  }
  return false;
}

ArraysFolder::~ArraysFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  janitor_.reset();
  ::close(lock_);
}

}  // namespace uotbench
