#include "harness/sweep/workers/kernel_names.hpp"

namespace uotbench {
namespace fs = std::filesystem;

std::set<std::string> kernel_names(const fs::path& kernels) {
  std::set<std::string> names;
  std::error_code missing;
  for (const auto& family : fs::directory_iterator(kernels, missing))
    for (const auto& file : fs::directory_iterator(family.path(), missing))
      if (const auto ending = file.path().extension(); ending == ".cpp" || ending == ".cu" || ending == ".py")
        names.insert(family.path().filename().string() + "/" + file.path().stem().string());
  return names;
}

}  // namespace uotbench
