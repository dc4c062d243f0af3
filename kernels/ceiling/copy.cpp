// Copies x to y; the lines of y are fetched first. The first element of every part counts the passes. A store
// to a line that is not there holds up the loads behind it: asking for lines of y `ahead` of time may copy
// more.
#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real>
class Copy {
 public:
  explicit Copy(const Problem<Real>& problem)
      : streams_(problem, 2, [&](int array, std::size_t i) { return array == 0 ? problem.x[i] : Real(0); }),
        ahead_(elements_ahead<Real>(problem.at)) {}

  void iterate() {
    if (ahead_ == 0)
      copy([](const Real*) {});
    else
      copy([this](const Real* to) { __builtin_prefetch(to + ahead_, 1); });
  }

  void finish(Result<Real>& out) { streams_.gather(1, out.y); }

 private:
  /// before(where) is called before each store.
  template <class Before>
  void copy(const Before& before) {
    streams_.iterate([before](auto& part, std::int64_t pass) {
      Real *const x = part[0], *const y = part[1];
      count_pass(part, x, pass);
      in_vectors<Real>(part.size, [=](auto vector, std::size_t i) {
        before(y + i);
        decltype(vector)(x + i, simd::vector_aligned).copy_to(y + i, simd::vector_aligned);
      });
    });
  }

  Streams<Real> streams_;
  std::size_t ahead_;  // elements
};

Work work(const Point& at) { return work_of({.arrays = 2, .reads = 1, .writes = 1, .fetched = 1}, at); }

const Variant<Copy<float>, Copy<double>> variant{{
    .name = "ceiling/copy",
    .summary = "copies an array",
    .axes = {repeat_axis(), ahead_axis()},
    .work = work,
    .measures = Measures{"copy", 2},
}};

}  // namespace
}  // namespace uotbench::ceiling
