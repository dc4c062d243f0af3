// Right, and without a steady iteration: in a process each of the first takes a quarter of the time of the one
// before. They are so long that a sample is one of them, and that after the fewest samples time is up.
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
    static Seconds passes{0.44};
    for (const auto start = Clock::now(); Clock::now() - start < passes;) continue;
    passes = std::max(passes / 4, Seconds(2e-4));
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
