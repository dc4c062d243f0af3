// Swaps the neighbours of each vector six times before it is added: shuffles, for which cores have one unit
// or two. A sum does not depend on the order of its lanes.
#include <cstdint>
#include <cstring>
#include <experimental/simd>
#include <type_traits>

#include "kernels/bottleneck/problem.hpp"
#include "kernels/common/hide.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class Shuffles : public Made {
  static constexpr std::size_t bytes = sizeof(std::experimental::native_simd<Real>);
  static constexpr std::size_t lanes = bytes / sizeof(Real), sums = 2, turns = 6;
  using Place = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;
  using Vector [[gnu::vector_size(bytes)]] = Real;
  using Places [[gnu::vector_size(bytes)]] = Place;

 public:
  explicit Shuffles(const Problem<Real>& p) : Made("in-core throughput"), x_(copy_of(p)) {}

  void iterate() {
    Places neighbour;
    for (std::size_t lane = 0; lane < lanes; ++lane) neighbour[lane] = static_cast<Place>(lane ^ 1);
    Vector sum[sums] = {};
    std::size_t i = 0;
    for (; i + sums * lanes <= x_.size(); i += sums * lanes)
#pragma GCC unroll 2
      for (std::size_t k = 0; k < sums; ++k) {
        Vector vector;
        std::memcpy(&vector, x_.data() + i + k * lanes, bytes);
#pragma GCC unroll 6
        for (std::size_t turn = 0; turn < turns; ++turn) {
          vector = __builtin_shuffle(vector, neighbour);
          hide(vector);
        }
        sum[k] += vector;
      }
    for (const Vector& one : sum)
      for (std::size_t lane = 0; lane < lanes; ++lane) total_ += static_cast<double>(one[lane]);
    for (; i < x_.size(); ++i) total_ += static_cast<double>(x_[i]);
  }

 private:
  Buffer<Real> x_;
};

const Variant<Shuffles<float>, Shuffles<double>> variant{{
    .name = "bottleneck/shuffles",
    .summary = "vectors whose neighbours are swapped before they are added",
    .work = sum_work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::bottleneck
