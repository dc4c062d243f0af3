// Folders of arrays that exist in this process only: NpyArray, AnyNpy and Arrays find their arrays by path,
// as they find files. What reads or makes a problem's files so works on a caller's memory, too.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace uotbench {

/// Elements somewhere in memory. They belong to the caller.
struct MemoryArray {
  std::string type;  ///< as NPY spells it: <f4
  std::vector<std::size_t> shape;
  std::vector<std::ptrdiff_t> strides;  ///< bytes from one element to the next along each axis
  std::byte* data;
};

/// Strides of C order.
std::vector<std::ptrdiff_t> c_strides(const std::vector<std::size_t>& shape, std::size_t width);

class MemoryFolder {
 public:
  MemoryFolder();
  ~MemoryFolder();
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;

  /// memory:3. Arrays are found at memory:3/NAME.npy.
  const std::string& path() const { return path_; }
  /// The array NAME is the caller's memory, which has to outlive its use.
  void lend(const std::string& name, MemoryArray array);
  std::vector<std::string> names() const;

 private:
  std::string path_;
};

/// Whether a path is in such a folder, or is one.
bool is_in_memory(const std::string& path);
/// Absent where there is no such array.
std::optional<MemoryArray> memory_array(const std::string& path);
/// An array of zeros in the folder, which owns it; or the one of this type and shape, in C order, that is
/// there already. Throws Error where there is no such folder, and std::bad_alloc.
MemoryArray make_memory_array(const std::string& path, const std::string& type,
                              const std::vector<std::size_t>& shape, std::size_t bytes);

/// Whether there is an array at this path, as a file or in memory.
bool has_array(const std::string& path);
/// Whether there is a folder at this path, likewise.
bool has_folder(const std::string& path);

}  // namespace uotbench
