#include "harness/sweep/workers/run_context.hpp"

#include <unistd.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

constexpr std::size_t longest_variable = 1000;

constexpr std::string_view telling[]{
    "BLIS_",  "CUDA_",    "GLIBC_TUNABLES=", "GOTO_", "JAX_",      "KMP_",   "LD_",    "MALLOC_", "MKL_",
    "NUMBA_", "NUMEXPR_", "NVIDIA_",         "OMPI_", "OPENBLAS_", "PYTHON", "TORCH_", "VECLIB_", "XLA_"};

}  // namespace

bool is_kept_from_workers(std::string_view variable) {
  return variable.starts_with("OMP_") || variable.starts_with("GOMP_") || variable.starts_with("BENCHMARK_");
}

std::map<std::string, std::string> telling_variables() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry; ++entry) {
    const std::string variable = *entry;
    const auto equals = variable.find('=');
    const auto begins = [&](std::string_view start) { return variable.starts_with(start); };
    if (equals == std::string::npos || std::ranges::none_of(telling, begins)) continue;
    variables[visible(variable.substr(0, equals))] =
        on_one_line(cut(variable.substr(equals + 1), longest_variable));
  }
  return variables;
}

}  // namespace uotbench
