// a = b + s c (STREAM; McCalpin 1995), with b = x, c = 1 - x, and s the number of the pass, so that y tells
// how many there were.
#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real>
class Triad {
 public:
  explicit Triad(const Problem<Real>& problem)
      : streams_(problem, 3, [&](int array, std::size_t i) {
          return array == 1 ? problem.x[i] : array == 2 ? 1 - problem.x[i] : Real(0);
        }) {}

  void iterate() {
    streams_.iterate([](auto& part, std::int64_t pass) {
      Real *const a = part[0], *const b = part[1], *const c = part[2];
      const auto s = static_cast<Real>(pass);
      in_vectors<Real>(part.size, [=](auto vector, std::size_t i) {
        using Pack = decltype(vector);
        const Pack sum = Pack(b + i, simd::vector_aligned) + Pack(c + i, simd::vector_aligned) * s;
        sum.copy_to(a + i, simd::vector_aligned);
      });
    });
  }

  void finish(Result<Real>& out) { streams_.gather(0, out.y); }

 private:
  Streams<Real> streams_;
};

Work work(const Point& at) {
  return work_of({.arrays = 3, .reads = 2, .writes = 1, .fetched = 1, .flops = 2}, at);
}

const Variant<Triad<float>, Triad<double>> variant{{
    .name = "ceiling/triad",
    .summary = "adds a multiple of an array to another into a third",
    .axes = {repeat_axis()},
    .work = work,
    .measures = Measures{"triad", 3},
}};

}  // namespace
}  // namespace uotbench::ceiling
