// Starts a parallel region in which each thread adds one to a number of its own, and waits for its end, again
// and again: what a team's start and its closing barrier take. y becomes the number of regions that each
// thread took part in.
#include <vector>

#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

struct alignas(cache_line) Attended {
  std::int64_t regions = 0;
};

template <class Real>
class Regions {
 public:
  explicit Regions(const Problem<Real>& p) : of_thread_(static_cast<std::size_t>(p.team.threads())) {}

  void iterate() {
    for (std::size_t i = 0; i < regions_started; ++i) {
#pragma omp parallel
      ++of_thread_[static_cast<std::size_t>(omp_get_thread_num())].regions;
    }
  }

  void finish(Result<Real>& out) {
    for (std::size_t i = 0; i < out.y.size(); ++i)
      out.y[i] = static_cast<Real>(of_thread_[i % of_thread_.size()].regions);
  }

 private:
  std::vector<Attended> of_thread_;
};

Work work(const Point&) {
  return {.working_set = 0, .operations = {{"region", static_cast<double>(regions_started)}}};
}

const Variant<Regions<float>, Regions<double>> variant{{
    .name = "ceiling/region",
    .summary = "parallel regions with nothing in them: what starting a team takes",
    .work = work,
    .measures = Measures{"region"},
}};

}  // namespace
}  // namespace uotbench::ceiling
