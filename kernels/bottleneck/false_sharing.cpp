// Each thread adds to a sum of its own, in memory, next to the others': the cache line of all sums goes from
// core to core. Of one thread nothing is shared.
#include <omp.h>

#include "harness/worker/parallel.hpp"
#include "kernels/bottleneck/problem.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class FalseSharing : public Made {
 public:
  explicit FalseSharing(const Problem<Real>& p)
      : Made(p.team.threads() > 1 ? "latency" : ""),
        x_(copy_of(p)),
        sums_(static_cast<std::size_t>(p.team.threads())) {}

  void iterate() {
#pragma omp parallel
    {
      const int thread = omp_get_thread_num();
      const auto [first, last] = share(x_.size(), thread, omp_get_num_threads());
      volatile double& sum = sums_[static_cast<std::size_t>(thread)];
      for (std::size_t i = first; i < last; ++i) sum = sum + static_cast<double>(x_[i]);
    }
  }

  void finish(Result<Real>& out) {
    out.y[0] = 0;
    for (const double sum : sums_) out.y[0] += sum;
  }

 private:
  Buffer<Real> x_;
  std::vector<double> sums_;
};

const Variant<FalseSharing<float>, FalseSharing<double>> variant{{
    .name = "bottleneck/false_sharing",
    .summary = "sums of threads next to each other in memory",
    .work = sum_work,
}};

}  // namespace
}  // namespace uotbench::bottleneck
