// OpenBLAS, loaded when a kernel asks for it.
#pragma once

#include <string>

#include "harness/worker/team.hpp"
#include "kernels/common/loaded_library.hpp"

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
    static const bool found = LoadedLibrary::available(file);
    return found;
  }

  /// Throws Error where it is not installed.
  explicit OpenBlas(const Team& team) {
    team.unpinned([&] { library_ = LoadedLibrary(file, "OpenBLAS"); });
    find<void (*)(int)>("openblas_set_num_threads")(team.threads());
  }
  /// Throws Error naming what the library lacks.
  template <class Function>
  Function find(const char* name) const {
    return library_.find<Function>(name);
  }
  /// The kernels it chose for this CPU, e.g. Haswell or SkylakeX (environment: OPENBLAS_CORETYPE).
  std::string core() const { return find<const char* (*)()>("openblas_get_corename")(); }

 private:
  LoadedLibrary library_;
};

}  // namespace uotbench::uot
