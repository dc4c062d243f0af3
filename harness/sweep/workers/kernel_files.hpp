// Which variants there are, whatever was built of them: files are called as their variants.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace uotbench {

struct KernelFile {
  std::string variant;  ///< FAMILY/NAME
  std::string sources;  ///< its ending: cpp, cu or py
  /// Patterns of workers' names, from its line "// workers: PATTERN...": no others hold it. Empty: those of
  /// its ending.
  std::vector<std::string> workers = {};

  /// Whether a worker that is made of such sources holds it.
  bool is_for(const std::string& worker, const std::string& its_sources) const;
};

/// Those of every kernels/FAMILY/NAME.cpp, .cu or .py but problem.*, and of kernels/FAMILY/KIND/NAME.*, where
/// KIND is not shared, timed, parts, oracle or tests; by name. Empty where there is no such folder.
std::vector<KernelFile> kernel_files(const std::filesystem::path& kernels);

/// The same from a list that a build wrote ([{"variant": "uot/x", "sources": "cu", "workers": []}, …]). Empty
/// where there is no such file. Throws UsageError naming a file that is no such list.
std::vector<KernelFile> read_kernel_files(const std::filesystem::path& list);

}  // namespace uotbench
