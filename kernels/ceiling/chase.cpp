// Follows a chain of pointers through a working set of `set` bytes, a cache line each: the time of a load
// that waits for the one before it. Plateaus over the size of the set are levels of memory, steps are their
// capacities (McVoy and Staelin, "lmbench: portable tools for performance analysis", USENIX 1996,
// section 6.1). y becomes the place in the chain of the line at which it stands.
//
// The chain visits windows of 32 small pages in random order, and the lines of a window in random order: no
// prefetcher can tell the next line, and few loads wait for a page's translation.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "harness/worker/buffer.hpp"
#include "kernels/ceiling/problem.hpp"
#include "kernels/ceiling/shared/passes.hpp"

namespace uotbench::ceiling {
namespace {

/// A cache line of the set.
struct alignas(cache_line) ChainLine {
  const ChainLine* next;
  std::uint64_t place;
};

template <class Real>
class Chase {
 public:
  explicit Chase(const Problem<Real>& problem)
      : lines_(chase_lines(problem.at)), random_(problem.at.size("seed")) {
    constexpr std::size_t window = 32 * 4096 / cache_line;
    const std::size_t count = lines_.size();
    std::uint64_t place = 0;
    ChainLine* before = nullptr;
    for (const std::size_t first : shuffled((count + window - 1) / window)) {
      const std::size_t begin = first * window, end = std::min(begin + window, count);
      for (const std::size_t i : shuffled(end - begin)) {
        ChainLine* const line = &lines_[begin + i];
        line->place = place++;
        (before ? before->next : at_) = line;
        before = line;
      }
    }
    before->next = at_;
  }

  void iterate() {
    const ChainLine* at = at_;
    for (std::size_t step = 0; step < chase_steps; ++step) at = at->next;
    at_ = at;
  }

  void finish(Result<Real>& out) { std::ranges::fill(out.y, static_cast<Real>(at_->place)); }

 private:
  std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random_);
    return order;
  }

  Buffer<ChainLine> lines_;
  std::mt19937_64 random_;
  const ChainLine* at_ = nullptr;
};

Work work(const Point& at) {
  return {.working_set = at.number("set"), .operations = {{"load", static_cast<double>(chase_steps)}}};
}

const Variant<Chase<float>, Chase<double>> variant{{
    .name = "ceiling/chase",
    .summary = "loads that wait for each other, all over a working set: their time",
    .axes = {{.name = "set",
              .kind = Axis::Kind::integer,
              .standard = 1 << 20,
              .least = 2 * cache_line,
              .most = most_chase_set,
              .about = "bytes of the working set"}},
    .work = work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::ceiling
