// Waits busily for a known time: what the timing loop says of it is the timing loop's own error.
// y[0] becomes the seconds that the last call took.
#include <chrono>

#include "kernels/ceiling/problem.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real>
class Spin {
  using Clock = std::chrono::steady_clock;

 public:
  explicit Spin(const Problem<Real>& problem) : length_(problem.at.integer("ns")) {}

  void iterate() {
    const auto start = Clock::now();
    do last_ = Clock::now() - start;
    while (last_ < length_);
  }

  void finish(Result<Real>& out) {
    out.y[0] = static_cast<Real>(std::chrono::duration<double>(last_).count());
  }

 private:
  std::chrono::nanoseconds length_;
  Clock::duration last_{};
};

Work work(const Point&) { return {}; }

const Variant<Spin> spin{{
    .name = "ceiling/spin",
    .summary = "a call that lasts ns nanoseconds",
    .axes = {{.name = "ns",
              .kind = Axis::Kind::integer,
              .standard = 1000000,
              .least = 1,
              .about = "nanoseconds a call"}},
    .work = work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::ceiling
