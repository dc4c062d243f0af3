// Which of a user's files a problem is made from, as each reader of such a file notes it, and what files
// hold.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace uotbench {

/// Collects the paths of the files that are noted while it lives; one thread at a time makes problems.
class InputFiles {
 public:
  InputFiles() : outer_(collecting_) { collecting_ = this; }
  ~InputFiles() { collecting_ = outer_; }
  InputFiles(const InputFiles&) = delete;
  InputFiles& operator=(const InputFiles&) = delete;

  /// A file of the user's is about to be read, or its header is. Nothing where nothing collects.
  static void note(const std::string& file) {
    if (collecting_) collecting_->paths_.insert(file);
  }
  const std::set<std::string>& paths() const { return paths_; }

 private:
  static inline InputFiles* collecting_ = nullptr;
  InputFiles* outer_;
  std::set<std::string> paths_;
};

// What files hold, in a few bytes: it reveals inputs that a worker changed.

/// Of everything in the folder, by its name: size and hash of a file's bytes (XXH3, 64 bits), or that it is
/// no file. Empty where there is no such folder.
std::map<std::string, std::string> contents_of(const std::filesystem::path& folder);

/// Likewise of one file, or of the one that a link leads to.
std::string content_of_file(const std::filesystem::path& path);

}  // namespace uotbench
