// As loads, but x begins an element after a cache line: each vector spans two lines, and takes two accesses
// to L1. No counter and no analyser of code says so: what it costs is unexplained.
#include "kernels/bottleneck/problem.hpp"
#include "kernels/bottleneck/timed/sums.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class SplitLoads : public Made {
 public:
  explicit SplitLoads(const Problem<Real>& p) : Made("unexplained"), x_(p.N + 1) {
    x_[0] = 0;
    std::ranges::copy(p.x, x_.begin() + 1);
  }

  void iterate() { total_ += sum_of_vectors(x_.data() + 1, x_.size() - 1, simd::element_aligned); }

 private:
  Buffer<Real> x_;
};

const Variant<SplitLoads<float>, SplitLoads<double>> variant{{
    .name = "bottleneck/split_loads",
    .summary = "vectors of L1 that span two cache lines each",
    .work = sum_work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::bottleneck
