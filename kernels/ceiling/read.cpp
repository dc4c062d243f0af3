// Reads an array. Words are added up as whole numbers: exact in any order, so that one left out shows, and in
// one cycle, so that eight sums never wait for each other. y[0] holds the bits of the sum over all passes.
#include <cstring>
#include <type_traits>

#include "kernels/ceiling/parts/streams.hpp"

namespace uotbench::ceiling {
namespace {

template <class Real>
class Read {
  using Word = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  using Pack = simd::native_simd<Word>;

 public:
  explicit Read(const Problem<Real>& problem)
      : streams_(problem, 1, [&](int, std::size_t i) {
          Word word;
          std::memcpy(&word, &problem.x[i], sizeof word);
          return word;
        }) {}

  void iterate() {
    streams_.iterate([](auto& part, std::int64_t) { part.sum += sum_of(part[0], part.size); });
  }

  void finish(Result<Real>& out) {
    const Word sum = streams_.sum();
    std::memcpy(&out.y[0], &sum, sizeof sum);
  }

 private:
  static Word sum_of(const Word* words, std::size_t n) {
    constexpr std::size_t sums = 8;
    Pack sum[sums] = {};
    std::size_t i = 0;
    for (; i + sums * Pack::size() <= n; i += sums * Pack::size())
      for (std::size_t k = 0; k < sums; ++k)
        sum[k] += Pack(words + i + k * Pack::size(), simd::vector_aligned);
    for (std::size_t k = 1; k < sums; ++k) sum[0] += sum[k];
    Word all = simd::reduce(sum[0]);
    for (; i < n; ++i) all += words[i];
    return all;
  }

  Streams<Word> streams_;
};

Work work(const Point& at) { return work_of({.reads = 1}, at); }

const Variant<Read<float>, Read<double>> variant{{
    .name = "ceiling/read",
    .summary = "reads an array",
    .work = work,
    .measures = Measures{"read", 1},
}};

}  // namespace
}  // namespace uotbench::ceiling
