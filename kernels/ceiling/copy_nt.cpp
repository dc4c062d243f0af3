// Copies x to y past the caches, so that no line of y is fetched first. The first element of every part
// counts the passes.
#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real>
class CopyPast {
 public:
  explicit CopyPast(const Problem<Real>& problem)
      : streams_(problem, 2, [&](int array, std::size_t i) { return array == 0 ? problem.x[i] : Real(0); }) {}

  void iterate() {
    streams_.iterate([](auto& part, std::int64_t pass) {
      Real *const x = part[0], *const y = part[1];
      count_pass(part, x, pass);
      in_vectors<Real>(part.size, [=](auto vector, std::size_t i) {
        write_past(y + i, decltype(vector)(x + i, simd::vector_aligned));
      });
      written_past();
    });
  }

  void finish(Result<Real>& out) { streams_.gather(1, out.y); }

 private:
  Streams<Real> streams_;
};

Work work(const Point& at) { return work_of({.arrays = 2, .reads = 1, .writes = 1, .past = 1}, at); }

const Variant<CopyPast<float>, CopyPast<double>> variant{{
    .name = "ceiling/copy_nt",
    .summary = "copies an array past the caches",
    .axes = {repeat_axis()},
    .work = work,
    .refuse = without_writes_past,
    .measures = Measures{"copy_nt", 2},
    .foreign_code = writes_past,
}};

}  // namespace
}  // namespace uotbench::ceiling
