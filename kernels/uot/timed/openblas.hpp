// OpenBLAS, loaded when a kernel asks for it.
#pragma once

#include <string>

#include "harness/host/process/blas_cores.hpp"
#include "harness/worker/team.hpp"
#include "harness/worker/variant.hpp"
#include "kernels/common/loaded_library.hpp"
#include "kernels/uot/shared/openblas_core.hpp"

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
    team.unpinned([&] {
      choice_ = choose_openblas_core(file);
      library_ = LoadedLibrary(file, "OpenBLAS");
    });
    find<void (*)(int)>("openblas_set_num_threads")(team.threads());
  }
  /// Throws Error naming what the library lacks.
  template <class Function>
  Function find(const char* name) const {
    return find_in_openblas<Function>(library_, name);
  }
  /// What a record says of it. blas_core: the kernels it runs, e.g. Haswell or SkylakeX; blas_core_replaced:
  /// those it would have run, had uotbench not asked for these; handicap: why its times say little of
  /// OpenBLAS here.
  Facts facts() const {
    const std::string core = find<const char* (*)()>("openblas_get_corename")();
    Facts all{{"blas_core", core}};
    if (!choice_.replaced.empty()) all.emplace_back("blas_core_replaced", choice_.replaced);
    if (const std::string why = core_handicap(core, vector_bits_of_cpu(), choice_.forced); !why.empty())
      all.emplace_back("handicap", why);
    return all;
  }

 private:
  CoreChoice choice_;
  LoadedLibrary library_;
};

}  // namespace uotbench::uot
