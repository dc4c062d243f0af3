// Reads, multiplies and writes an array in place. Factors are 2 in 32 passes, then 1/2 in 32: exact, never
// too large or small, and a pass left out shows in every pass after it.
#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real>
class ReadModifyWrite {
 public:
  explicit ReadModifyWrite(const Problem<Real>& problem)
      : streams_(problem, 1, [&](int, std::size_t i) { return problem.x[i]; }),
        ahead_(elements_ahead<Real>(problem.at)) {}

  void iterate() {
    if (ahead_ == 0)
      scale([](const Real*) {});
    else
      scale([this](const Real* at) { __builtin_prefetch(at + ahead_, 1); });
  }

  void finish(Result<Real>& out) { streams_.gather(0, out.y); }

 private:
  /// before(where) is called before each vector.
  template <class Before>
  void scale(const Before& before) {
    streams_.iterate([before](auto& part, std::int64_t pass) {
      Real* const y = part[0];
      const Real factor = (pass - 1) / 32 % 2 == 0 ? Real(2) : Real(0.5);
      in_vectors<Real>(part.size, [=](auto vector, std::size_t i) {
        before(y + i);
        (decltype(vector)(y + i, simd::vector_aligned) * factor).copy_to(y + i, simd::vector_aligned);
      });
    });
  }

  Streams<Real> streams_;
  std::size_t ahead_;  // elements
};

Work work(const Point& at) { return work_of({.arrays = 1, .reads = 1, .writes = 1, .flops = 1}, at); }

const Variant<ReadModifyWrite<float>, ReadModifyWrite<double>> variant{{
    .name = "ceiling/rmw",
    .summary = "multiplies an array in place",
    .axes = {repeat_axis(), ahead_axis()},
    .work = work,
    .measures = Measures{"rmw", 1},
}};

}  // namespace
}  // namespace uotbench::ceiling
