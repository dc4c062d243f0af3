// Counts the ones among random numbers by a branch on each, half of which are mispredicted. Nothing else
// takes long: the numbers are bytes, and only ones have an effect that a conditional move cannot have.
#include <cstdint>

#include "kernels/bottleneck/problem.hpp"
#include "kernels/common/hide.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class RandomBranches : public Made {
 public:
  explicit RandomBranches(const Problem<Real>& p) : Made("mispredicted branches"), is_one_(p.N) {
    std::ranges::transform(p.x, is_one_.begin(),
                           [](Real number) { return static_cast<unsigned char>(number != 0); });
  }

  void iterate() {
    std::uint64_t ones = 0;
    for (const unsigned char one : is_one_.view())
      if (one != 0) {
        ++ones;
        hide(ones);
      }
    total_ += static_cast<double>(ones);
  }

 private:
  Buffer<unsigned char> is_one_;
};

Work work(const Point& at) {
  return {.flops = at.number("N"), .bytes_read = at.number("N"), .working_set = at.number("N")};
}

const Variant<RandomBranches<float>, RandomBranches<double>> variant{{
    .name = "bottleneck/random_branches",
    .summary = "branches that nothing predicts",
    .work = work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::bottleneck
