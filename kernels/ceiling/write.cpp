// Writes an array; its lines are fetched first. y becomes the number of passes.
#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real>
class Write {
 public:
  explicit Write(const Problem<Real>& problem)
      : streams_(problem, 1, [](int, std::size_t) { return Real(0); }) {}

  void iterate() {
    streams_.iterate([](auto& part, std::int64_t pass) {
      Real* const y = part[0];
      in_vectors<Real>(part.size, [=](auto vector, std::size_t i) {
        (vector + static_cast<Real>(pass)).copy_to(y + i, simd::vector_aligned);
      });
    });
  }

  void finish(Result<Real>& out) { streams_.gather(0, out.y); }

 private:
  Streams<Real> streams_;
};

Work work(const Point& at) { return work_of({.arrays = 1, .writes = 1, .fetched = 1}, at); }

const Variant<Write<float>, Write<double>> variant{{
    .name = "ceiling/write",
    .summary = "writes an array",
    .axes = {repeat_axis()},
    .work = work,
    .measures = Measures{"write", 1},
}};

}  // namespace
}  // namespace uotbench::ceiling
