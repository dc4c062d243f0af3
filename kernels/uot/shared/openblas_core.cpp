#include "kernels/uot/shared/openblas_core.hpp"

#include <cstdlib>

#include "harness/host/process/blas_cores.hpp"

namespace uotbench::uot {
namespace {

constexpr const char* threads_variable = "OPENBLAS_NUM_THREADS";

std::string in_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string core_of(const char* file) {
  const std::string threads = in_environment(threads_variable);
  ::setenv(threads_variable, "1", 1);  // it then starts no threads, and can be unloaded at once
  std::string core;
  try {
    const LoadedLibrary library(file, "OpenBLAS");
    core = find_in_openblas<const char* (*)()>(library, "openblas_get_corename")();
  } catch (const Error&) {  // who loads it for use says so
  }
  if (threads.empty())
    ::unsetenv(threads_variable);
  else
    ::setenv(threads_variable, threads.c_str(), 1);
  return core;
}

CoreChoice choice_for(const char* file) {
  if (std::string forced = in_environment(openblas_core_variable); !forced.empty())
    return {.forced = std::move(forced)};
  std::string found = core_of(file);
  const std::string better = better_core(found, vector_bits_of_cpu());
  if (better.empty()) return {};
  ::setenv(openblas_core_variable, better.c_str(), 1);
  return {.replaced = std::move(found)};
}

}  // namespace

const CoreChoice& choose_openblas_core(const char* file) {
  static const CoreChoice choice = choice_for(file);
  return choice;
}

}  // namespace uotbench::uot
