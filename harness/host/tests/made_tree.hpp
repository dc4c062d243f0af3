// A root folder of our own making, with the files of /proc and /sys that a test needs.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace uotbench {

class MadeTree {
 public:
  MadeTree() {
    std::string name = (std::filesystem::temp_directory_path() / "uotbench-host-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make " + name);
    root_ = name;
  }
  ~MadeTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  MadeTree(const MadeTree&) = delete;
  MadeTree& operator=(const MadeTree&) = delete;

  const std::filesystem::path& root() const { return root_; }
  void write(const std::filesystem::path& file, const std::string& text) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

 private:
  std::filesystem::path root_;
};

}  // namespace uotbench
