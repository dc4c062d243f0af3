// Four integer additions an element, each of which waits for the one before it: four cycles, however wide the
// core.
#include <cstdint>

#include "kernels/bottleneck/problem.hpp"
#include "kernels/common/hide.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class ChainOfAdds : public Made {
 public:
  explicit ChainOfAdds(const Problem<Real>& p) : Made("dependency chain"), x_(copy_of(p)) {}

  void iterate() {
    std::int64_t sum = 0, zero = 0;
    hide(zero);
    for (const Real number : x_.view()) {
      sum += static_cast<std::int64_t>(number);
#pragma GCC unroll 3
      for (int more = 0; more < 3; ++more) {
        hide(sum);
        sum += zero;
      }
      hide(sum);
    }
    total_ += static_cast<double>(sum);
  }

 private:
  Buffer<Real> x_;
};

const Variant<ChainOfAdds<float>, ChainOfAdds<double>> variant{{
    .name = "bottleneck/chain_of_adds",
    .summary = "integer additions that wait for each other",
    .work = sum_work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::bottleneck
