// Starts a parallel region for each 64 numbers: teams start and wait more than they add.
#include "kernels/bottleneck/timed/shared_pieces.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class SmallRegions : public SharedPieces<Real> {
 public:
  using SharedPieces<Real>::SharedPieces;

  void iterate() {
    for (std::size_t first = 0; first < this->size(); first += this->piece) {
#pragma omp parallel
      this->add(first);
    }
  }
};

const Variant<SmallRegions<float>, SmallRegions<double>> variant{{
    .name = "bottleneck/small_regions",
    .summary = "a parallel region for each 64 numbers",
    .work = sum_work,
}};

}  // namespace
}  // namespace uotbench::bottleneck
