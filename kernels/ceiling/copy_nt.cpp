// Copies x to y past the caches, so that no line of y is fetched first. The first element of every part
// counts the passes. `copy_nt_back` copies back in every second pass, as a time step reads what the one
// before stored: it reads lines that the caches do not hold, and stores to lines that they do.
#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real, bool back>
class CopyPast {
 public:
  explicit CopyPast(const Problem<Real>& problem)
      : streams_(problem, 2, [&](int array, std::size_t i) { return array == 0 ? problem.x[i] : Real(0); }),
        passes_(passes(problem.at, 2)) {}

  void iterate() {
    streams_.iterate([](auto& part, std::int64_t pass) {
      Real *const x = part[from(pass)], *const y = part[1 - from(pass)];
      count_pass(part, x, pass);
      in_vectors<Real>(part.size, [=](auto vector, std::size_t i) {
        write_past(y + i, decltype(vector)(x + i, simd::vector_aligned));
      });
      written_past();
    });
    done_ += passes_;
  }

  void finish(Result<Real>& out) { streams_.gather(1 - from(done_), out.y); }

 private:
  /// The array that a pass reads; the first pass is 1.
  static std::size_t from(std::int64_t pass) { return back && pass % 2 == 0 ? 1 : 0; }

  Streams<Real> streams_;
  std::int64_t passes_, done_ = 0;
};

Work work(const Point& at) { return work_of({.arrays = 2, .reads = 1, .writes = 1, .past = 1}, at); }

const Variant<CopyPast<float, false>, CopyPast<double, false>> variant{{
    .name = "ceiling/copy_nt",
    .summary = "copies an array past the caches",
    .axes = {repeat_axis()},
    .work = work,
    .refuse = without_writes_past,
    .measures = Measures{"copy_nt", 2},
    .foreign_code = writes_past,
}};

const Variant<CopyPast<float, true>, CopyPast<double, true>> there_and_back{{
    .name = "ceiling/copy_nt_back",
    .summary = "copies an array past the caches, and back in the next pass",
    .axes = {repeat_axis()},
    .work = work,
    .refuse = without_writes_past,
    .measures = Measures{"copy_nt_back", 2},
    .foreign_code = writes_past,
}};

}  // namespace
}  // namespace uotbench::ceiling
