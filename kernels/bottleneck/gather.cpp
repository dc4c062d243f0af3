// Numbers of a cache line each, gathered in an order that each line gives for the next: loads that wait for
// each other. The lines of a window of 32 small pages come in random order, which no prefetcher follows.
#include <cstdint>
#include <numeric>
#include <random>

#include "kernels/bottleneck/problem.hpp"

namespace uotbench::bottleneck {
namespace {

template <class Real>
class Gather : public Made {
  struct alignas(cache_line) Line {
    std::uint32_t next;
    Real number;
  };

 public:
  explicit Gather(const Problem<Real>& p) : Made("latency"), lines_(p.N) {
    std::vector<std::uint32_t> order(p.N);
    std::iota(order.begin(), order.end(), 0u);
    std::mt19937_64 random(1);
    constexpr std::size_t window = 32 * 4096 / cache_line;
    for (std::size_t first = 0; first < p.N; first += window)
      std::shuffle(order.begin() + static_cast<std::ptrdiff_t>(first),
                   order.begin() + static_cast<std::ptrdiff_t>(std::min(first + window, p.N)), random);
    for (std::size_t k = 0; k < p.N; ++k)
      lines_[order[k]] = {.next = order[(k + 1) % p.N], .number = p.x[order[k]]};
  }

  void iterate() {
    double sum = 0;
    std::uint32_t at = 0;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      sum += static_cast<double>(lines_[at].number);
      at = lines_[at].next;
    }
    total_ += sum;
  }

 private:
  Buffer<Line> lines_;
};

Work work(const Point& at) {
  const double lines = static_cast<double>(cache_line) * at.number("N");
  return {.flops = at.number("N"), .bytes_read = lines, .working_set = lines};
}

const Variant<Gather<float>, Gather<double>> variant{{
    .name = "bottleneck/gather",
    .summary = "loads of memory that wait for each other",
    .work = work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::bottleneck
