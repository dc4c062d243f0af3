// Writes an array past the caches, so that no line is fetched first. y becomes the number of passes.
#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real>
class WritePast {
 public:
  explicit WritePast(const Problem<Real>& problem)
      : streams_(problem, 1, [](int, std::size_t) { return Real(0); }) {}

  void iterate() {
    streams_.iterate([](auto& part, std::int64_t pass) {
      Real* const y = part[0];
      in_vectors<Real>(part.size, [=](auto vector, std::size_t i) {
        write_past(y + i, vector + static_cast<Real>(pass));
      });
      written_past();
    });
  }

  void finish(Result<Real>& out) { streams_.gather(0, out.y); }

 private:
  Streams<Real> streams_;
};

Work work(const Point& at) { return work_of({.arrays = 1, .writes = 1, .past = 1}, at); }

const Variant<WritePast<float>, WritePast<double>> variant{{
    .name = "ceiling/write_nt",
    .summary = "writes an array past the caches",
    .axes = {repeat_axis()},
    .work = work,
    .refuse = without_writes_past,
    .measures = Measures{"write_nt", 1},
    .foreign_code = writes_past,
}};

}  // namespace
}  // namespace uotbench::ceiling
