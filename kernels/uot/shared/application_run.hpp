// An application (application.hpp) with the scaling by one of this family's kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/worker/phases.hpp"
#include "harness/worker/typed_variant.hpp"

namespace uotbench::uot {

template <class Real>
struct Problem;
template <class Real>
struct Result;

/// Iterations of the application; 0: there is none at this point.
inline std::int64_t application_of(const Point& at) {
  return at.has("application") ? at.integer("application") : 0;
}

/// `load` is the copy of K that a kernel makes, `plan` what it makes of its result.
const std::vector<std::string>& application_phases(const Point& at);

// A build that counts scales for no application (timed/applications/application.cpp says why). Of each file
// its own: what is compiled once for all workers does not know whether one counts.
#if defined(UOTBENCH_COUNTED) || defined(__SANITIZE_THREAD__)
constexpr bool sources_apply = false;
#else
constexpr bool sources_apply = true;
#endif

/// What an application needs of a kernel.
template <class Real>
struct Scaler {
  /// Loads it, makes this number of iterations and takes its result, a phase each.
  Facts (*scale)(const Problem<Real>&, std::int64_t iterations, Result<Real>&);
  /// One of them, loaded and left alone.
  std::shared_ptr<const void> (*load)(const Problem<Real>&);
};

template <class Real, class Kernel>
constexpr Scaler<Real> scaler_of() {
  return {.scale =
              [](const Problem<Real>& problem, std::int64_t iterations, Result<Real>& result) {
                std::optional<Kernel> kernel;
                {
                  const Region region("load");
                  kernel.emplace(problem);
                }
                {
                  const Region region("scaling");
                  if constexpr (declares_of<Kernel>.begins) kernel->begin();
                  for (; iterations > 0; --iterations) kernel->iterate();
                }
                const Region region("plan");
                kernel->finish(result);
                if constexpr (declares_of<Kernel>.facts) return kernel->facts();
                return Facts();
              },
          .load = [](const Problem<Real>& problem) -> std::shared_ptr<const void> {
            return std::make_shared<const Kernel>(problem);
          }};
}

/// An application of the point's data. `outside`: VariantSpec's. `library`: the kernel loads one, which a
/// program loads once: a kernel of one cell keeps it.
template <class Real>
std::unique_ptr<Instance> application_run(const Point& at, Arrays& inputs, const Team& team,
                                          Scaler<Real> scaler, int outside, bool library);

}  // namespace uotbench::uot
