// Whether there is a GPU for CUDA.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

namespace uotbench {

/// A device file of NVIDIA's driver, of any number: a container may be given the second GPU alone.
inline bool has_gpu(const std::filesystem::path& root = "/") {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(root / "dev", none)) {
    const std::string name = entry.path().filename();
    constexpr std::string_view driver = "nvidia";
    if (name.size() > driver.size() && name.starts_with(driver) &&
        std::all_of(name.begin() + driver.size(), name.end(),
                    [](unsigned char c) { return std::isdigit(c); }))
      return true;
  }
  return false;
}

}  // namespace uotbench
