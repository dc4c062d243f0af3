// The named arrays of a case: a folder of .npy files, mapped on first use.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>

#include "harness/protocol/npy.hpp"

namespace uotbench {

class Arrays {
 public:
  Arrays(std::string folder, bool writable) : folder_(std::move(folder)), writable_(writable) {}

  /// Whether the case has such an array at all.
  bool has(const std::string& name) const;
  /// Throws Error naming the file where it is missing or damaged.
  NpyArray& operator[](const std::string& name);
  /// An array that not every case has: empty where this one has none. Throws as operator[] does.
  template <class T>
  std::span<const T> given(const std::string& name) {
    return has(name) ? (*this)[name].template as<T>() : std::span<const T>();
  }

 private:
  std::string path_of(const std::string& name) const { return folder_ + '/' + name + ".npy"; }

  std::string folder_;  ///< a text: <filesystem> costs the compiler as much as a small kernel does
  bool writable_;
  std::map<std::string, NpyArray> open_;
};

}  // namespace uotbench
