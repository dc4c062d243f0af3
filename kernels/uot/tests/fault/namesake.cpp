// Writes 7s. Its class is named like one of another file: each variant has to run its own file's code.
#include "kernels/uot/problem.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class Crash {
 public:
  explicit Crash(const Problem<Real>& problem) : p_(problem) {}

  void iterate() {}
  void finish(Result<Real>& out) { std::ranges::fill(out.plan, Real(7)); }

 private:
  const Problem<Real>& p_;
};

const Variant<Crash<float>, Crash<double>> variant{{
    .name = "uot/fault_namesake",
    .summary = "writes 7s; its class is named as another file's",
    .work = [](const Point&) { return Work{}; },
}};

}  // namespace
}  // namespace uotbench::uot
