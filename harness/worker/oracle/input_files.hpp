// Which of a user's files a problem is made from: each reader of such a file notes it.
#pragma once

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

}  // namespace uotbench
