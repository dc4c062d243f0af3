// A folder of a test's own, gone with it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace uotbench {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  /// The text without this folder's name, and the character behind it.
  std::string without_its_name(std::string text) const {
    const std::string name = path_.string();
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name))
      text.erase(at, name.size() + 1);
    return text;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace uotbench
