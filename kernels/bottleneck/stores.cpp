// Writes each number to eight places next to each other, one store at a time: bound by stores, of data in L1.
#include "kernels/bottleneck/problem.hpp"
#include "kernels/common/hide.hpp"

namespace uotbench::bottleneck {
namespace {

constexpr std::size_t places = 8;

template <class Real>
class Stores : public Made {
 public:
  explicit Stores(const Problem<Real>& p)
      : Made("in-core throughput"), x_(copy_of(p)), copies_(places * p.N) {}

  void iterate() {
    Real* to = copies_.data();
    for (Real number : x_.view()) {
#pragma GCC unroll 8
      for (std::size_t k = 0; k < places; ++k) {
        hide(number);  // or stores would be joined to wider ones
        to[k] = number;
      }
      to += places;
    }
    ++iterations_;
  }

  void finish(Result<Real>& out) {
    double sum = 0;
    for (const Real number : copies_.view()) sum += static_cast<double>(number);
    out.y[0] = iterations_ * sum / places;
  }

 private:
  Buffer<Real> x_, copies_;
  double iterations_ = 0;
};

Work work(const Point& at) {
  const double array = width(at) * at.number("N"), written = static_cast<double>(places) * array;
  return {.bytes_read = array, .bytes_written = written, .working_set = array + written};
}

const Variant<Stores<float>, Stores<double>> variant{{
    .name = "bottleneck/stores",
    .summary = "numbers of L1 that are stored eight times",
    .work = work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::bottleneck
