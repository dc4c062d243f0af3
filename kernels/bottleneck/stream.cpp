// As loads, by all threads, of more data than caches hold: bound by memory.
#include <omp.h>

#include "harness/worker/parallel.hpp"
#include "kernels/bottleneck/problem.hpp"
#include "kernels/bottleneck/timed/sums.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class Stream : public Made {
 public:
  explicit Stream(const Problem<Real>& p) : Made("memory bandwidth"), x_(p.N) {
#pragma omp parallel
    {
      const auto [first, last] = share(p.N, omp_get_thread_num(), omp_get_num_threads());
      std::copy(p.x.begin() + static_cast<std::ptrdiff_t>(first),
                p.x.begin() + static_cast<std::ptrdiff_t>(last), x_.begin() + first);
    }
  }

  void iterate() {
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      const auto [first, last] = share(x_.size(), omp_get_thread_num(), omp_get_num_threads());
      sum += sum_of_vectors(x_.data() + first, last - first, simd::element_aligned);
    }
    total_ += sum;
  }

 private:
  Buffer<Real> x_;
};

const Variant<Stream<float>, Stream<double>> variant{{
    .name = "bottleneck/stream",
    .summary = "vectors of memory added up by all threads",
    .work = sum_work,
}};

}  // namespace
}  // namespace uotbench::bottleneck
