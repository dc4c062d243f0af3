// Right, and without a steady iteration: in a process each of the first takes a sixth of the time of the one
// before. They are so long that a sample is one of them.
#include <algorithm>
#include <chrono>

#include "kernels/uot/tests/fault/fine.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class Dwindling : public Fine<Real> {
 public:
  using Fine<Real>::Fine;

  void iterate() {
    using Clock = std::chrono::steady_clock;
    using Seconds = std::chrono::duration<double>;
    static Seconds passes{0.25};
    for (const auto start = Clock::now(); Clock::now() - start < passes;) continue;
    passes = std::max(passes / 6, Seconds(1e-4));
    Fine<Real>::iterate();
  }
};

const Variant<Dwindling<float>, Dwindling<double>> variant{{
    .name = "uot/fault_dwindling",
    .summary = "right; its first iterations in a process take less and less time",
    .work =
        [](const Point& at) { return Work{.flops = 4 * cells(at), .bytes_read = 2 * width(at) * cells(at)}; },
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::uot
