// Waits at a barrier after each 64 numbers, which the threads share: they wait more than they add.
#include "kernels/bottleneck/timed/shared_pieces.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class Barriers : public SharedPieces<Real> {
 public:
  using SharedPieces<Real>::SharedPieces;

  void iterate() {
#pragma omp parallel
    for (std::size_t first = 0; first < this->size(); first += this->piece) {
      this->add(first);
#pragma omp barrier
    }
  }
};

const Variant<Barriers<float>, Barriers<double>> variant{{
    .name = "bottleneck/barriers",
    .summary = "a barrier after each 64 numbers",
    .work = sum_work,
}};

}  // namespace
}  // namespace uotbench::bottleneck
