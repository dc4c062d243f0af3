// Waits at a barrier again and again, in one parallel region: what a barrier takes when all threads come to
// it at once. Between two each thread adds one to a number of its own. y becomes the number of barriers that
// each thread passed.
#include <vector>

#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

struct alignas(cache_line) Passed {
  std::int64_t barriers = 0;
};

template <class Real>
class Barriers {
 public:
  explicit Barriers(const Problem<Real>& p) : of_thread_(static_cast<std::size_t>(p.team.threads())) {}

  void iterate() {
#pragma omp parallel
    {
      Passed& mine = of_thread_[static_cast<std::size_t>(omp_get_thread_num())];
      for (std::size_t i = 0; i < barriers_passed; ++i) {
#pragma omp barrier
        ++mine.barriers;
      }
    }
  }

  void finish(Result<Real>& out) {
    for (std::size_t i = 0; i < out.y.size(); ++i)
      out.y[i] = static_cast<Real>(of_thread_[i % of_thread_.size()].barriers);
  }

 private:
  std::vector<Passed> of_thread_;
};

Work work(const Point&) {
  return {.working_set = 0, .operations = {{"barrier", static_cast<double>(barriers_passed)}}};
}

const Variant<Barriers<float>, Barriers<double>> variant{{
    .name = "ceiling/barrier",
    .summary = "barriers with nothing between them: what waiting for all threads takes",
    .work = work,
    .measures = Measures{"barrier"},
}};

}  // namespace
}  // namespace uotbench::ceiling
