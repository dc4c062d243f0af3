// Starts a parallel region for each 64 numbers: teams start and wait more than they add.
#include <omp.h>

#include "harness/worker/parallel.hpp"
#include "kernels/bottleneck/parts/sums.hpp"
#include "kernels/bottleneck/problem.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class SmallRegions : public Made {
  struct alignas(cache_line) Sum {
    double value = 0;
  };

 public:
  explicit SmallRegions(const Problem<Real>& p)
      : Made(p.team.threads() > 1 ? "barrier or launch overhead" : ""),
        x_(copy_of(p)),
        sums_(static_cast<std::size_t>(p.team.threads())) {}

  void iterate() {
    for (std::size_t first = 0; first < x_.size(); first += piece) {
#pragma omp parallel
      add(first);
    }
  }

  void finish(Result<Real>& out) {
    out.y[0] = 0;
    for (const Sum& sum : sums_) out.y[0] += sum.value;
  }

 private:
  static constexpr std::size_t piece = 64;

  /// What this thread has of the piece that begins at `first`.
  void add(std::size_t first) {
    const int thread = omp_get_thread_num();
    const auto [begin, end] = share(std::min(piece, x_.size() - first), thread, omp_get_num_threads());
    sums_[static_cast<std::size_t>(thread)].value += sum_in_a_chain(x_.data() + first + begin, end - begin);
  }

  Buffer<Real> x_;
  std::vector<Sum> sums_;
};

const Variant<SmallRegions<float>, SmallRegions<double>> variant{{
    .name = "bottleneck/small_regions",
    .summary = "a parallel region for each 64 numbers",
    .work = sum_work,
}};

}  // namespace
}  // namespace uotbench::bottleneck
