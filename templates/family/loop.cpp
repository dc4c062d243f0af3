// One loop, shared by the threads.
#include <algorithm>

#include "kernels/demo/problem.hpp"

namespace uotbench::demo {
namespace {

template <class Real>
class Loop {
 public:
  explicit Loop(const Problem<Real>& p) : x_(p.N), y_(p.N) { std::ranges::copy(p.x, x_.begin()); }

  void iterate() {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < x_.size(); ++i) y_[i] = x_[i] * x_[i];
  }

  void finish(Result<Real>& out) { std::ranges::copy(y_, out.y.begin()); }

 private:
  Buffer<Real> x_, y_;
};

const Variant<Loop<float>, Loop<double>> variant{{
    .name = "demo/loop",
    .summary = "one loop",
    .work = work,
}};

}  // namespace
}  // namespace uotbench::demo
