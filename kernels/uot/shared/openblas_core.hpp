// Which kernels OpenBLAS runs: its best for this CPU, also where its release is older than the CPU.
#pragma once

#include <string>

#include "kernels/common/loaded_library.hpp"

namespace uotbench::uot {

struct CoreChoice {
  std::string forced = {};    ///< OPENBLAS_CORETYPE as the user set it
  std::string replaced = {};  ///< the core that OpenBLAS would have run; empty: it was left as it is
};

/// An OpenBLAS that does not know the CPU falls back to kernels of 2004 (Prescott, SSE3). Loads `file` to see
/// which core it chooses, unloads it, and sets OPENBLAS_CORETYPE in this process where a better one exists
/// and the user has set none. Call it before the library is loaded; it does its work once in a process.
const CoreChoice& choose_openblas_core(const char* file);

/// A function of OpenBLAS's; PyPI's builds (scipy-openblas32) have a prefix before all names. Throws Error
/// naming what the library lacks.
template <class Function>
Function find_in_openblas(const LoadedLibrary& library, const std::string& name) {
  try {
    return library.find<Function>(name.c_str());
  } catch (const Error&) {
    return library.find<Function>(("scipy_" + name).c_str());
  }
}

}  // namespace uotbench::uot
