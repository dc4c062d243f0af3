// Opens and closes a range that profilers see (NVTX), again and again: what the harness's own ranges cost a
// process to which no profiler listens. y becomes the number of ranges.
#include "harness/worker/phases.hpp"
#include "kernels/ceiling/problem.hpp"
#include "kernels/ceiling/shared/passes.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real>
class Range {
 public:
  explicit Range(const Problem<Real>&) : category_("ceiling/range") {}

  void iterate() {
    for (std::size_t i = 0; i < ranges_opened; ++i) {
      const Phase range(Stage::sample, category_, ++opened_);
      asm volatile("" ::: "memory");
    }
  }

  void finish(Result<Real>& out) {
    for (auto& element : out.y) element = static_cast<Real>(opened_);
  }

 private:
  PhaseCategory category_;
  std::int64_t opened_ = 0;
};

Work work(const Point&) { return {}; }

const Variant<Range<float>, Range<double>> variant{{
    .name = "ceiling/range",
    .summary = "1000 ranges for profilers (NVTX), opened and closed",
    .work = work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::ceiling
