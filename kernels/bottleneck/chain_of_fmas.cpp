// One sum: each multiply-add waits for the one before it, four cycles on most cores.
#include "kernels/bottleneck/problem.hpp"
#include "kernels/bottleneck/timed/sums.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class ChainOfFmas : public Made {
 public:
  explicit ChainOfFmas(const Problem<Real>& p) : Made("dependency chain"), x_(copy_of(p)) {}

  void iterate() { total_ += sum_in_a_chain(x_.data(), x_.size()); }

 private:
  Buffer<Real> x_;
};

const Variant<ChainOfFmas<float>, ChainOfFmas<double>> variant{{
    .name = "bottleneck/chain_of_fmas",
    .summary = "multiply-adds that wait for each other",
    .work = sum_work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::bottleneck
