#include "harness/worker/serve/serve.hpp"
#include "uotbench_commit.hpp"

namespace uotbench {

const Build& this_build() {
  static constexpr Build build{.name = UOTBENCH_WORKER,
                               .version = UOTBENCH_VERSION,
#ifdef __clang__
                               .compiler = "clang++ " __clang_version__,
#else
                               .compiler = "g++ " __VERSION__,
#endif
                               .flags = UOTBENCH_FLAGS,
                               .type = UOTBENCH_BUILD_TYPE,
#ifdef UOTBENCH_CUDA
                               .cuda = UOTBENCH_CUDA,
#else
                               .cuda = nullptr,
#endif
                               .commit = UOTBENCH_COMMIT,
                               .dirty = UOTBENCH_DIRTY,
                               .kernel_dirs = UOTBENCH_KERNEL_DIRS};
  return build;
}

}  // namespace uotbench
