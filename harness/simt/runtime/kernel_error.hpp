// What a kernel, or a launch of it, did that none may.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace uotbench::simt {

class KernelError : public std::runtime_error {
 public:
  struct Site {
    std::string kernel;               ///< "part2<float, 8>"
    std::string at;                   ///< FILE:LINE; empty where there is none (a launch is refused)
    std::array<unsigned, 3> block{};  ///< x, y, z
    std::vector<int> threads;         ///< by their linear index in the block; empty: the launch itself
  };
  /// `text`: the whole line, with all of the site in it.
  KernelError(const std::string& text, Site site) : std::runtime_error(text), site_(std::move(site)) {}
  const Site& site() const { return site_; }

 private:
  Site site_;
};

}  // namespace uotbench::simt
