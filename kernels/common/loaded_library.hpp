// A shared library that is loaded when a kernel asks for it: the build does not need it, a machine without it
// runs all the rest, and other kernels do not share their process with its threads.
#pragma once

#include <dlfcn.h>

#include <memory>
#include <string>
#include <utility>

#include "results/base/error.hpp"

namespace uotbench {

class LoadedLibrary {
 public:
  /// Not yet loaded.
  LoadedLibrary() = default;
  /// Throws Error where `file` is not installed. `name` is what people call it.
  LoadedLibrary(std::string file, const char* name)
      : file_(std::move(file)), handle_(::dlopen(file_.c_str(), RTLD_NOW)) {
    if (!handle_) throw Error(std::string(name) + " cannot be loaded: there is no " + file_);
  }

  /// Loads it to see: that may start the library's threads, so ask once.
  static bool available(const char* file) {
    return std::unique_ptr<void, Close>(::dlopen(file, RTLD_LAZY)) != nullptr;
  }

  /// A pointer to the function, whose type is that of its declaration. Throws Error naming what the library
  /// lacks.
  template <class Function>
  Function find(const char* name) const {
    if (void* symbol = handle_ ? ::dlsym(handle_.get(), name) : nullptr)
      return reinterpret_cast<Function>(symbol);
    throw Error(file_ + " has no " + name);
  }

 private:
  struct Close {
    void operator()(void* library) const { ::dlclose(library); }
  };
  std::string file_;
  std::unique_ptr<void, Close> handle_;
};

}  // namespace uotbench
