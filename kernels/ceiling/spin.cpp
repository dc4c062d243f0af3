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
  explicit Spin(const Problem<Real>& problem)
      : length_(std::chrono::nanoseconds(problem.at.integer("ns"))), own_(own_length()) {}

  void iterate() {
    const auto start = Clock::now();
    do last_ = Clock::now() - start + own_;
    while (last_ < length_);
  }

  void finish(Result<Real>& out) {
    out.y[0] = static_cast<Real>(std::chrono::duration<double>(last_).count());
  }

 private:
  /// What a call lasts beyond the time between its first and its last look at the clock: half a look before
  /// it, half a look after it, and on average half a look too many.
  static Clock::duration own_length() {
    constexpr int looks = 1000;
    const auto start = Clock::now();
    for (int i = 1; i < looks; ++i) Clock::now();
    return (Clock::now() - start) * 3 / (2 * looks);
  }

  Clock::duration length_, own_, last_{};
};

Work work(const Point&) { return {}; }

const Variant<Spin<float>, Spin<double>> spin{{
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
