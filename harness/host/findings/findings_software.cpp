#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "harness/host/facts/machine.hpp"
#include "harness/host/findings/doctor.hpp"
#include "harness/host/process/blas_cores.hpp"
#include "harness/host/process/program.hpp"

namespace uotbench {
namespace {

using enum Finding::Level;
namespace fs = std::filesystem;

/// What a package is called by those who bring packages.
struct Package {
  const char* apt;
  const char* dnf;
  const char* conda;
};

/// The command that installs it here; empty where the system has another package manager. Whoever works in a
/// conda environment builds with what is in it.
std::string install(const Package& package) {
  if (std::getenv("CONDA_PREFIX")) return fmt::format("conda install -y -c conda-forge {}", package.conda);
  if (!program_in_path("apt-get").empty()) return sudo() + "apt-get install -y " + package.apt;
  if (!program_in_path("dnf").empty()) return sudo() + "dnf install -y " + package.dnf;
  return "";
}

Finding about_library(const char* library, const Package& package, const char* cost) {
  if (void* handle = ::dlopen(library, RTLD_LAZY | RTLD_LOCAL)) {
    ::dlclose(handle);
    return {ok, fmt::format("library {}: found", library), "", ""};
  }
  return {warning, fmt::format("library {}: not found", library), cost, install(package)};
}

/// OpenBLAS, and which kernels it chooses on this CPU.
Finding about_openblas() {
  Finding found =
      about_library("libopenblas.so.0", {"libopenblas0-pthread", "openblas-serial", "libopenblas"},
                    "uot/gemv with blas=openblas is skipped");
  void* const handle = found.level == ok ? ::dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL) : nullptr;
  if (!handle) return found;
  for (const char* name :
       {"openblas_get_corename", "scipy_openblas_get_corename"})  // the second: PyPI's builds
    if (void* const symbol = ::dlsym(handle, name))
      found = openblas_finding(reinterpret_cast<const char* (*)()>(symbol)(), vector_bits_of_cpu());
  ::dlclose(handle);
  return found;
}

/// Variables that make a library slower than it would be, so that speedups over it are too large.
Finding about_environment() {
  std::string set;
  for (const char* name : {"OPENBLAS_CORETYPE", "MKL_ENABLE_INSTRUCTIONS", "MKL_CBWR", "MKL_DEBUG_CPU_TYPE",
                           "ONEDNN_MAX_CPU_ISA", "ATEN_CPU_CAPABILITY", "XLA_FLAGS", "JAX_DISABLE_JIT",
                           "NPY_DISABLE_CPU_FEATURES"})
    if (const char* const value = std::getenv(name); value && *value)
      set += fmt::format("{}{}={}", set.empty() ? "" : ", ", name, value);
  if (set.empty()) return {ok, "environment: no variable steers the kernels of libraries", "", ""};
  return {warning, fmt::format("environment: {}", set),
          "libraries may run below their best: records of such baselines say \"handicapped\"", ""};
}

/// A library that is asked for when the programs are built, by UOTBENCH_WITH_`option`.
Finding about_build(bool with, const char* library, const char* option, const Package& package,
                    const char* cost) {
  if (with) return {ok, fmt::format("built with {}", library), "", ""};
  const std::string command = install(package);
  return {note, fmt::format("built without {}", library), cost,
          fmt::format("{}{}cmake -DUOTBENCH_WITH_{}=ON {} && cmake --build {}", command,
                      command.empty() ? "" : " && ", option, UOTBENCH_BUILD_DIR, UOTBENCH_BUILD_DIR)};
}

/// A header that comes with the CUDA toolkit alone: no package that this project would ask for.
Finding about_nvtx(const fs::path& root) {
  if (UOTBENCH_WITH_NVTX) return {ok, "built with NVTX", "", ""};
  std::error_code none;
  const bool there = fs::exists(root / "usr/local/cuda/include/nvtx3", none);
  return {note, "built without NVTX", "profilers that read NVTX (nsys) see no phases",
          there
              ? fmt::format("cmake -DUOTBENCH_WITH_NVTX=ON -DNVTX_INCLUDE_DIR=/usr/local/cuda/include {} && "
                            "cmake --build {}",
                            UOTBENCH_BUILD_DIR, UOTBENCH_BUILD_DIR)
              : ""};
}

Finding about_program(const char* program, const Package& package, const char* cost) {
  const fs::path path = program_in_path(program);
  if (!path.empty()) return {ok, fmt::format("program {}: {}", program, path.string()), "", ""};
  return {note, fmt::format("program {}: not in PATH", program), cost, install(package)};
}

/// gnuplot draws figures without letters where there is no font, and says nothing.
Finding about_fonts() {
  const std::string mend = install({"fonts-liberation", "liberation-sans-fonts", "font-ttf-liberation-sans"});
  if (program_in_path("fc-list").empty())
    return {note, "fonts: unknown, as fc-list is not in PATH",
            "figures have no letters if no font is installed", ""};
  constexpr double patience = 10;  // seconds; the first call fills fontconfig's cache
  const auto ran =
      run_program({.command = {"fc-list", ":", "family"}, .seconds = patience, .errors_apart = true});
  if (!ran.in_time || ran.code != 0)
    return {note, "fonts: unknown, as fc-list failed", "figures have no letters if no font is installed", ""};
  if (ran.said.find_first_not_of(" \n") == std::string::npos)
    return {warning, "fonts: none installed", "no figures: they would have no letters", mend};
  for (const char* family : {"Liberation Sans", "Helvetica", "Arial"})
    if (ran.said.find(family) != std::string::npos) return {ok, fmt::format("fonts: {}", family), "", ""};
  return {note, "fonts: no Liberation Sans, Helvetica or Arial",
          "figures are drawn in another font, whose texts may be wider than their places", mend};
}

Finding about_cuda(const fs::path& root) {
  fs::path nvcc = program_in_path("nvcc");
  // NVIDIA's own packages install there and leave PATH alone; CMake looks there too.
  const fs::path usual = root / "usr/local/cuda/bin/nvcc";
  if (nvcc.empty() && is_program(usual)) nvcc = usual;
  const bool gpu = has_gpu(root);
  if (!nvcc.empty() && gpu) return {ok, fmt::format("CUDA: a GPU, and {}", nvcc.string()), "", ""};
  const std::string toolkit = install({"nvidia-cuda-toolkit", "cuda-toolkit", "cuda-nvcc"});
  const std::string mend =
      nvcc.empty() && gpu && !toolkit.empty()
          ? fmt::format("{} && cmake {} && cmake --build {}", toolkit, UOTBENCH_BUILD_DIR, UOTBENCH_BUILD_DIR)
          : "";
  return {note,
          fmt::format("CUDA: {}, {}", gpu ? "a GPU" : "no NVIDIA GPU (/dev/nvidia0)",
                      nvcc.empty() ? "no nvcc in PATH or /usr/local/cuda/bin" : nvcc.string()),
          nvcc.empty()
              ? "no cuda worker: CUDA kernels are verified and counted by simt and simt-trace, not timed"
              : "CUDA kernels are built, and not timed here",
          mend};
}

/// It comes with the CUDA toolkit, whose packages leave PATH alone.
Finding about_ncu(const fs::path& root) {
  if (const fs::path path = program_in_path("ncu"); !path.empty())
    return {ok, fmt::format("program ncu: {}", path.string()), "", ""};
  const fs::path folder = root / "usr/local/cuda/bin";
  return {note, "program ncu: not in PATH",
          "what a GPU does to memory is simulated (simt-trace), not measured",
          is_program(folder / "ncu") ? fmt::format("export PATH={}:$PATH", folder.string()) : ""};
}

}  // namespace

Finding openblas_finding(const std::string& core, int cpu_bits) {
  const std::string library = "library libopenblas.so.0: found, ";
  const std::string better = better_core(core, cpu_bits);
  if (better.empty()) return {ok, fmt::format("{}chooses {} kernels for this CPU", library, core), "", ""};
  return {warning,
          fmt::format("{}falls back to {} kernels ({}-bit vectors) on a CPU with {}-bit vectors", library,
                      core, vector_bits_of_core(core), cpu_bits),
          fmt::format("programs that link it are slow here; workers ask it for {} kernels instead, and their "
                      "records say so (blas_core_replaced)",
                      better),
          "tools/newer_openblas"};
}

std::vector<Finding> software_findings(const fs::path& root) {
  return {
      about_build(UOTBENCH_WITH_PNG, "libpng", "PNG", {"libpng-dev", "libpng-devel", "libpng"},
                  "data=colors reads no PNG files; the scenes that the project draws are there"),
      about_build(UOTBENCH_WITH_MINIZIP, "minizip", "MINIZIP", {"libminizip-dev", "minizip-devel", "minizip"},
                  "no artefacts: uotbench pack needs it"),
      about_build(UOTBENCH_WITH_HWLOC, "hwloc", "HWLOC", {"libhwloc-dev", "hwloc-devel", "libhwloc"},
                  "cores and caches are those reported by /sys, which ignores cgroups"),
      about_build(UOTBENCH_WITH_PAPI, "PAPI", "PAPI", {"libpapi-dev", "papi-devel", "papi"},
                  "no counters by PAPI's names; perf's names are there without it"),
      about_build(UOTBENCH_WITH_MPI, "MPI", "MPI", {"openmpi-bin libopenmpi-dev", "openmpi-devel", "openmpi"},
                  "no worker mpi: no kernels over several processes"),
      about_nvtx(root),
      about_openblas(),
      about_environment(),
      about_program("valgrind", {"valgrind", "valgrind", "valgrind"},
                    "no cache misses and instructions counted by callgrind"),
      about_program("gnuplot", {"gnuplot-nox", "gnuplot", "gnuplot"}, "no figures"),
      about_fonts(),
      about_cuda(root),
      about_ncu(root)};
}

}  // namespace uotbench
