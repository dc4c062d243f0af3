#include "harness/protocol/memory_folder.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

constexpr std::string_view scheme = "memory:";

/// Zeros: a piece of the heap or, where they are many, pages, huge ones where the system has some. They are
/// written once, by a kernel.
class Zeros {
 public:
  explicit Zeros(std::size_t bytes) : bytes_((bytes + 63) / 64 * 64) {
    if (!mapped()) {
      memory_ = std::aligned_alloc(64, bytes_);
      if (!memory_) throw std::bad_alloc();
      std::memset(memory_, 0, bytes_);
      return;
    }
    constexpr int nobody = -1;
    memory_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, nobody, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    ::madvise(memory_, bytes_, MADV_HUGEPAGE);
  }
  ~Zeros() {
    if (mapped())
      ::munmap(memory_, bytes_);
    else
      std::free(memory_);
  }
  Zeros(const Zeros&) = delete;
  Zeros& operator=(const Zeros&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(memory_); }

 private:
  bool mapped() const { return bytes_ >= std::size_t{1} << 20; }

  std::size_t bytes_;
  void* memory_;
};

struct HeldArray {
  MemoryArray array;
  std::shared_ptr<const Zeros> owned;
};
using HeldArrays = std::map<std::string, HeldArray>;

struct AllFolders {
  std::mutex mutex;
  std::map<std::string, HeldArrays> by_path;
  std::size_t made = 0;
};
AllFolders& folders() {
  static AllFolders all;
  return all;
}

/// memory:3/a.npy: the folder, and the name without its ending.
std::pair<std::string, std::string> parts_of(const std::string& path) {
  const auto slash = path.find('/');
  std::string name = slash == std::string::npos ? "" : path.substr(slash + 1);
  if (name.ends_with(".npy")) name.resize(name.size() - 4);
  return {path.substr(0, slash), name};
}

/// Null where there is none. The caller holds the lock.
const MemoryArray* array_at(const std::string& path) {
  const auto [folder, name] = parts_of(path);
  const auto its = folders().by_path.find(folder);
  if (its == folders().by_path.end()) return nullptr;
  const auto found = its->second.find(name);
  return found == its->second.end() ? nullptr : &found->second.array;
}

}  // namespace

std::vector<std::ptrdiff_t> c_strides(const std::vector<std::size_t>& shape, std::size_t width) {
  std::vector<std::ptrdiff_t> strides(shape.size());
  auto step = static_cast<std::ptrdiff_t>(width);
  for (std::size_t axis = shape.size(); axis-- > 0; step *= static_cast<std::ptrdiff_t>(shape[axis]))
    strides[axis] = step;
  return strides;
}

MemoryFolder::MemoryFolder() {
  const std::lock_guard lock(folders().mutex);
  path_ = fmt::format("{}{}", scheme, ++folders().made);
  folders().by_path[path_];
}

MemoryFolder::~MemoryFolder() {
  const std::lock_guard lock(folders().mutex);
  folders().by_path.erase(path_);
}

void MemoryFolder::lend(const std::string& name, MemoryArray array) {
  const std::lock_guard lock(folders().mutex);
  folders().by_path.at(path_)[name] = {std::move(array), nullptr};
}

std::vector<std::string> MemoryFolder::names() const {
  const std::lock_guard lock(folders().mutex);
  std::vector<std::string> names;
  for (const auto& [name, entry] : folders().by_path.at(path_)) names.push_back(name);
  return names;
}

bool is_in_memory(const std::string& path) { return path.starts_with(scheme); }

std::optional<MemoryArray> memory_array(const std::string& path) {
  const std::lock_guard lock(folders().mutex);
  const MemoryArray* const found = array_at(path);
  return found ? std::optional(*found) : std::nullopt;
}

MemoryArray make_memory_array(const std::string& path, const std::string& type,
                              const std::vector<std::size_t>& shape, std::size_t bytes) {
  const auto width = static_cast<std::size_t>(type.back() - '0');
  const auto strides = c_strides(shape, width);
  const auto [folder, name] = parts_of(path);
  {
    const auto lent = memory_array(path);
    if (lent && lent->type == type && lent->shape == shape && lent->strides == strides) return *lent;
  }
  const auto zeros = std::make_shared<const Zeros>(bytes > 0 ? bytes : 1);
  const MemoryArray array{type, shape, strides, zeros->data()};
  const std::lock_guard lock(folders().mutex);
  const auto its = folders().by_path.find(folder);
  if (its == folders().by_path.end()) throw Error(fmt::format("{}: no such folder in memory", folder));
  its->second[name] = {array, zeros};
  return array;
}

bool has_array(const std::string& path) {
  if (!is_in_memory(path)) return ::access(path.c_str(), F_OK) == 0;
  const std::lock_guard lock(folders().mutex);
  return array_at(path) != nullptr;
}

bool has_folder(const std::string& path) {
  if (is_in_memory(path)) {
    const std::lock_guard lock(folders().mutex);
    return folders().by_path.contains(path);
  }
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace uotbench
