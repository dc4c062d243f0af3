// CLP by its C interface (Clp_C_Interface.h), loaded when a kernel asks for it: its LAPACK brings OpenBLAS,
// and other kernels do not share their process with the threads of that.
#pragma once

#include <string>

#include "kernels/common/loaded_library.hpp"

namespace uotbench::simplex {

/// A model of CLP.
class Clp {
 public:
  static constexpr const char* file = "libClp.so.1";

  /// Looked at once.
  static bool available() {
    static const bool found = LoadedLibrary::available(file);
    return found;
  }

  /// Throws Error where it is not installed.
  Clp() : library_(file, "CLP"), model_(library_.find<void* (*)()>("Clp_newModel")()) {}
  ~Clp() { call("Clp_deleteModel"); }
  Clp(const Clp&) = delete;
  Clp& operator=(const Clp&) = delete;

  /// A function of the interface whose first argument is the model. The arguments' types are those of its
  /// declaration.
  template <class Return = void, class... Arguments>
  Return call(const char* name, Arguments... arguments) const {
    return library_.find<Return (*)(void*, Arguments...)>(name)(model_, arguments...);
  }
  std::string version() const { return library_.find<const char* (*)()>("Clp_Version")(); }

 private:
  LoadedLibrary library_;
  void* model_;
};

}  // namespace uotbench::simplex
