// OpenBLAS, loaded when a kernel asks for it: the build does not need it, a machine without it runs all the
// rest, and other kernels do not share their process with its threads.
#pragma once

#include <dlfcn.h>

#include <memory>
#include <string>
#include <type_traits>

#include "harness/worker/team.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {

/// cblas_sgemv and cblas_dgemv, as cblas.h declares them (row major 101, as is 111, transposed 112).
template <class Real>
using CblasGemv = void (*)(int order, int trans, int m, int n, Real alpha, const Real* a, int lda,
                           const Real* x, int incx, Real beta, Real* y, int incy);

class OpenBlas {
 public:
  static constexpr const char* file = "libopenblas.so.0";

  /// Looked at once: loading starts the library's threads.
  static bool available() {
    static const bool found = std::unique_ptr<void, Close>(::dlopen(file, RTLD_LAZY)) != nullptr;
    return found;
  }

  /// Throws Error where it is not installed.
  explicit OpenBlas(const Team& team) {
    team.unpinned([&] { library_.reset(::dlopen(file, RTLD_NOW)); });
    if (!library_) throw Error("OpenBLAS cannot be loaded");
    find<void (*)(int)>("openblas_set_num_threads")(team.threads());
  }
  /// Throws Error naming what the library lacks.
  template <class Function>
  Function find(const char* name) const {
    if (void* symbol = ::dlsym(library_.get(), name)) return reinterpret_cast<Function>(symbol);
    throw Error(std::string(file) + " has no " + name);
  }
  /// The kernels it chose for this CPU, e.g. Haswell or SkylakeX (environment: OPENBLAS_CORETYPE).
  std::string core() const { return find<const char* (*)()>("openblas_get_corename")(); }

 private:
  struct Close {
    void operator()(void* library) const { ::dlclose(library); }
  };
  std::unique_ptr<void, Close> library_;
};

}  // namespace uotbench::uot
