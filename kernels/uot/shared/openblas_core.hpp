// Which kernels OpenBLAS runs: its best for this CPU, also where its release is older than the CPU.
#pragma once

#include <string>

namespace uotbench::uot {

struct CoreChoice {
  std::string forced = {};    ///< OPENBLAS_CORETYPE as the user set it
  std::string replaced = {};  ///< the core that OpenBLAS would have run; empty: it was left as it is
};

/// An OpenBLAS that does not know the CPU falls back to kernels of 2004 (Prescott, SSE3). Loads `file` to see
/// which core it chooses, unloads it, and sets OPENBLAS_CORETYPE in this process where a better one exists
/// and the user has set none. Call it before the library is loaded; it does its work once in a process.
const CoreChoice& choose_openblas_core(const char* file);

}  // namespace uotbench::uot
