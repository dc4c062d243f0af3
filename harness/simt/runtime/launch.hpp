// Launches of kernels on the CPU: what a kernel did that none may, and the check of what the host API
// answers.
#pragma once

#include <array>
#include <cstddef>
#include <source_location>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "harness/simt/runtime/runtime_api.hpp"
#include "harness/simt/runtime/vector_types.hpp"

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

/// A kernel with its arguments.
struct Call {
  const void* kernel;        ///< its function
  void (*run)(const void*);  ///< calls it with `arguments`
  const void* arguments;
  std::size_t size;  ///< bytes of `arguments`
};
/// Runs all blocks. Throws KernelError.
void run_grid(const Call& call, dim3 grid, dim3 block, std::size_t shared_bytes);

}  // namespace uotbench::simt

namespace uotbench {

/// Throws std::runtime_error with the API's words and the place of the call, unless it went well.
void check(cudaError_t error, std::source_location where = std::source_location::current());

/// kernel<<<grid, block, shared_bytes, stream>>>(arguments...), to its end. Throws simt::KernelError.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t,
            Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "expected one argument for each parameter of the kernel");
  struct Bound {
    void (*kernel)(Parameters...);
    std::tuple<Parameters...> arguments;
  };
  const Bound bound{kernel, {static_cast<Parameters>(arguments)...}};
  const auto run = [](const void* call) {
    const Bound& bound = *static_cast<const Bound*>(call);
    std::apply(bound.kernel, bound.arguments);
  };
  simt::run_grid({reinterpret_cast<const void*>(kernel), run, &bound, sizeof bound}, grid, block,
                 shared_bytes);
}

}  // namespace uotbench
