// Multiplies each number by the smallest one there is: a core that handles denormals by microcode takes a
// hundred cycles and more for each; one that has hardware for them is bound by the chain of sums. No counter
// that is always there and no analyser of code says so: what it costs is unexplained.
#include <limits>

#include "kernels/bottleneck/problem.hpp"
#include "kernels/common/hide.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class Denormals : public Made {
 public:
  explicit Denormals(const Problem<Real>& p) : Made("unexplained"), x_(copy_of(p)) {}

  void iterate() {
    constexpr Real least = std::numeric_limits<Real>::denorm_min();
    Real tiny = least, sum = 0;
    hide(tiny);
    for (const Real number : x_.view()) sum += number * tiny;
    total_ += static_cast<double>(sum) / static_cast<double>(least);  // how many, exactly
  }

 private:
  Buffer<Real> x_;
};

const Variant<Denormals<float>, Denormals<double>> variant{{
    .name = "bottleneck/denormals",
    .summary = "products that are too small for a normal number",
    .work = sum_work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::bottleneck
