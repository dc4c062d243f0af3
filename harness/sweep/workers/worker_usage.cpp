// What a worker's processes are given of the environment, and what they use: CPUs, and memory up to its
// limit.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "harness/host/facts/usable.hpp"
#include "harness/host/process/cpu_use.hpp"
#include "harness/host/process/process.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

// Between two searches of /proc for processes that a worker started. Each takes tens of microseconds of CPU
// time, which must not be in the times of the kernel.
constexpr std::chrono::seconds look_for_others{1};

constexpr std::size_t longest_variable = 1000;

constexpr std::string_view telling[]{
    "BLIS_",  "CUDA_",    "GLIBC_TUNABLES=", "GOTO_", "JAX_",      "KMP_",   "LD_",    "MALLOC_", "MKL_",
    "NUMBA_", "NUMEXPR_", "NVIDIA_",         "OMPI_", "OPENBLAS_", "PYTHON", "TORCH_", "VECLIB_", "XLA_"};

}  // namespace

std::set<int> WorkerProcess::stray_cpus() {
  std::set<int> stray;
  if (!launches_ || cpus_.empty()) return stray;
  for (const pid_t one : processes()) stray.merge(cpus_of(one));
  for (const int cpu : cpus_) stray.erase(cpu);
  return stray;
}

std::vector<int> WorkerProcess::cpus() const { return cpus_.empty() ? usable_cpus() : cpus_; }

/// Launchers are; others where they have started something.
bool WorkerProcess::is_several() {
  if (launches_) return true;
  if (const auto now = std::chrono::steady_clock::now(); now >= others_looked_for_) {
    others_looked_for_ = now + look_for_others;
    started_others_ = has_children(pid());
  }
  return started_others_;
}

double WorkerProcess::memory_used() {
  if (!is_several()) return resident_bytes(pid());
  const auto all = processes();
  const auto sum = [&](double (*bytes)(pid_t, const std::filesystem::path&)) {
    double whole = 0;
    for (const pid_t one : all) whole += bytes(one, "/");
    return whole;
  };
  // Pages that they share are in each one's count; telling these apart takes long, and most never come so
  // far.
  const double most = sum(resident_bytes);
  return most > context_.memory.bytes ? sum(proportional_bytes) : most;
}

/// Of several processes the one with the most memory, by the name that it gave itself; empty: it is one.
std::string WorkerProcess::largest_process() {
  if (!is_several()) return "";
  const auto all = processes();
  if (all.size() < 2) return "";
  const pid_t largest = *std::ranges::max_element(all, {}, [](pid_t one) { return resident_bytes(one); });
  return fmt::format("; the most of it, {}, in process {}, {}", format_bytes(resident_bytes(largest)),
                     largest, name_of_process(largest));
}

void WorkerProcess::watch_memory() {
  if (context_.memory.bytes <= 0 || !alive()) return;
  const double used = memory_used();
  if (used <= context_.memory.bytes) return;
  const std::string largest = largest_process();
  put_an_end();
  throw WorkerFailure{
      Status::crashed,
      fmt::format("used {} of memory, more than the {} there are ({}): killed{}", format_bytes(used),
                  format_bytes(context_.memory.bytes), context_.memory.limited_by, largest)};
}

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
