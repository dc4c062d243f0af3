// One thread adds up three quarters of the numbers while the others wait, then all of them share the rest.
#include <omp.h>

#include "harness/worker/parallel.hpp"
#include "kernels/bottleneck/problem.hpp"
#include "kernels/bottleneck/timed/sums.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class SerialSection : public Made {
 public:
  explicit SerialSection(const Problem<Real>& p)
      : Made(p.team.threads() > 1 ? "load imbalance" : "dependency chain"), x_(copy_of(p)) {}

  void iterate() {
    const std::size_t alone = x_.size() / 4 * 3;
    double all = 0;
#pragma omp parallel reduction(+ : all)
    {
      const int thread = omp_get_thread_num();
      if (thread == 0) all += sum_in_a_chain(x_.data(), alone);
#pragma omp barrier
      const auto [first, last] = share(x_.size() - alone, thread, omp_get_num_threads());
      all += sum_in_a_chain(x_.data() + alone + first, last - first);
    }
    total_ += all;
  }

 private:
  Buffer<Real> x_;
};

const Variant<SerialSection<float>, SerialSection<double>> variant{{
    .name = "bottleneck/serial_section",
    .summary = "three quarters of the work by one thread",
    .work = sum_work,
}};

}  // namespace
}  // namespace uotbench::bottleneck
