// The named arrays of a case: a folder of .npy files, mapped on first use.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/protocol/npy.hpp"

namespace uotbench {

class Arrays {
 public:
  Arrays(std::filesystem::path folder, bool writable) : folder_(std::move(folder)), writable_(writable) {}

  /// Whether the case has such an array at all.
  bool has(const std::string& name) const { return std::filesystem::exists(folder_ / (name + ".npy")); }
  /// Throws Error naming the file where it is missing or damaged.
  NpyArray& operator[](const std::string& name) {
    const auto found = open_.find(name);
    if (found != open_.end()) return found->second;
    return open_.emplace(name, NpyArray::open(folder_ / (name + ".npy"), writable_)).first->second;
  }

 private:
  std::filesystem::path folder_;
  bool writable_;
  std::map<std::string, NpyArray> open_;
};

}  // namespace uotbench
