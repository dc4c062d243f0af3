#include "harness/worker/oracle/input_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "results/base/whole_file.hpp"

namespace uotbench {
namespace {

std::string content_of(const std::filesystem::path& path, int links) {
  // No pipe is waited for.
  const Fd file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | links));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return "no file";
  const auto bytes = static_cast<std::size_t>(status.st_size);
  // Read, not mapped: faults of a gigabyte's pages take longer than copying it.
  std::vector<char> piece(std::size_t{1} << 20);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_64bits_reset(state.get());
  for (ssize_t count; (count = ::read(file.get(), piece.data(), piece.size())) != 0;) {
    if (count < 0) return "not readable";
    XXH3_64bits_update(state.get(), piece.data(), static_cast<std::size_t>(count));
  }
  return fmt::format("{} bytes {:016x}", bytes, XXH3_64bits_digest(state.get()));
}

}  // namespace

std::string content_of_file(const std::filesystem::path& path) { return content_of(path, 0); }

std::map<std::string, std::string> contents_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> contents;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    contents[entry.path().filename()] = content_of(entry.path(), O_NOFOLLOW);
  return contents;
}

}  // namespace uotbench
