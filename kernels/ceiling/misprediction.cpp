// Branches on random bits: half of them are mispredicted, by whatever predictor. What a misprediction takes:
// until the branch is executed, with a load from L2 or L1 before it, until the right instructions are
// fetched, and the loop's own instructions, one or two cycles a bit. Only ones have an effect that a
// conditional move cannot have. y becomes the number of ones that each thread found, modulo 2^20.
#include <cstdint>
#include <vector>

#include "kernels/ceiling/timed/random_bits.hpp"
#include "kernels/ceiling/timed/streams.hpp"
#include "kernels/common/hide.hpp"

namespace uotbench::ceiling {
namespace {

struct alignas(cache_line) RandomBits {
  std::vector<unsigned char> bytes;
  std::uint64_t ones = 0;
};

template <class Real>
class Misprediction {
 public:
  explicit Misprediction(const Problem<Real>& p) : of_thread_(static_cast<std::size_t>(p.team.threads())) {
#pragma omp parallel
    of_thread_[static_cast<std::size_t>(omp_get_thread_num())].bytes = random_bytes();
  }

  void iterate() {
#pragma omp parallel
    {
      RandomBits& mine = of_thread_[static_cast<std::size_t>(omp_get_thread_num())];
      std::uint64_t ones = 0;
      for (unsigned bit = 1; bit < 256; bit *= 2)
        for (const unsigned char byte : mine.bytes)
          if ((byte & bit) != 0) {
            ++ones;
            hide(ones);
          }
      mine.ones += ones;
    }
  }

  void finish(Result<Real>& out) {
    for (std::size_t i = 0; i < out.y.size(); ++i)
      out.y[i] = static_cast<Real>(of_thread_[i % of_thread_.size()].ones % ones_modulo);
  }

 private:
  std::vector<RandomBits> of_thread_;
};

Work work(const Point& at) {
  const auto branches = static_cast<double>(at.size("threads") * bits_tested);
  return {.working_set = 0, .operations = {{"misprediction", branches / 2}}};
}

const Variant<Misprediction<float>, Misprediction<double>> variant{{
    .name = "ceiling/misprediction",
    .summary = "branches on random bits: what a misprediction takes",
    .work = work,
    .measures = Measures{"misprediction"},
}};

}  // namespace
}  // namespace uotbench::ceiling
