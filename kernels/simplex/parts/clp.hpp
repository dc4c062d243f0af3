// CLP by its C interface (Clp_C_Interface.h), loaded when a kernel asks for it: its LAPACK brings OpenBLAS,
// and other kernels do not share their process with the threads of that.
#pragma once

#include <dlfcn.h>

#include <memory>
#include <string>

#include "results/base/error.hpp"

namespace uotbench::simplex {

/// A model of CLP.
class Clp {
 public:
  static constexpr const char* file = "libClp.so.1";

  /// Looked at once.
  static bool available() {
    static const bool found = Library(::dlopen(file, RTLD_LAZY)) != nullptr;
    return found;
  }

  /// Throws Error where it is not installed.
  Clp() : library_(::dlopen(file, RTLD_NOW)) {
    if (!library_) throw Error("CLP cannot be loaded");
    model_ = find<void* (*)()>("Clp_newModel")();
  }
  ~Clp() { call("Clp_deleteModel"); }
  Clp(const Clp&) = delete;
  Clp& operator=(const Clp&) = delete;

  /// A function of the interface whose first argument is the model. The arguments' types are those of its
  /// declaration.
  template <class Return = void, class... Arguments>
  Return call(const char* name, Arguments... arguments) const {
    return find<Return (*)(void*, Arguments...)>(name)(model_, arguments...);
  }
  std::string version() const { return find<const char* (*)()>("Clp_Version")(); }

 private:
  struct Close {
    void operator()(void* library) const { ::dlclose(library); }
  };
  using Library = std::unique_ptr<void, Close>;

  template <class Function>
  Function find(const char* name) const {
    if (void* symbol = ::dlsym(library_.get(), name)) return reinterpret_cast<Function>(symbol);
    throw Error(std::string(file) + " has no " + name);
  }

  Library library_;
  void* model_ = nullptr;
};

}  // namespace uotbench::simplex
