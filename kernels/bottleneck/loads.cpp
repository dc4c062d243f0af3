// Eight sums of vectors out of L1: a load and an addition a vector, and nothing waits.
#include "kernels/bottleneck/problem.hpp"
#include "kernels/bottleneck/timed/sums.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class Loads : public Made {
 public:
  explicit Loads(const Problem<Real>& p) : Made("in-core throughput"), x_(copy_of(p)) {}

  void iterate() { total_ += sum_of_vectors(x_.data(), x_.size(), simd::vector_aligned); }

 private:
  Buffer<Real> x_;
};

const Variant<Loads<float>, Loads<double>> variant{{
    .name = "bottleneck/loads",
    .summary = "vectors of L1 added up by independent sums",
    .work = sum_work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::bottleneck
