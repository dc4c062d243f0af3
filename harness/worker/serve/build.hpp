// How this worker was built: texts that the compiler and CMake know.
#pragma once

namespace uotbench {

struct Build {
  const char* name;     ///< the worker's, e.g. native-v4
  const char* version;  ///< of uotbench, with which it was built
  const char* compiler;
  const char* flags;
  const char* type;         ///< Release, Debug, …
  const char* cuda;         ///< nvcc's version, options, and for which GPUs; null: no CUDA
  const char* commit;       ///< of the project that built it; empty where there is no git checkout
  bool dirty;               ///< whether files differed from the commit, or git did not know them
  const char* kernel_dirs;  ///< JSON, of sources from outside that project: [{"folder","commit","dirty"}]
};

/// This worker's. build.cpp, which is compiled for each worker, defines it.
const Build& this_build();

}  // namespace uotbench
