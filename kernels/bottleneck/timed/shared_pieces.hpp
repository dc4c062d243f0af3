// Threads that share each piece of 64 numbers: far too little work for a barrier or a region of its own.
#pragma once

#include <omp.h>

#include <algorithm>
#include <vector>

#include "harness/worker/parallel.hpp"
#include "kernels/bottleneck/problem.hpp"
#include "kernels/bottleneck/timed/sums.hpp"

namespace uotbench::bottleneck {

template <class Real>
class SharedPieces : public Made {
  struct alignas(cache_line) Sum {
    double value = 0;
  };

 public:
  explicit SharedPieces(const Problem<Real>& p)
      : Made(p.team.threads() > 1 ? "barrier or launch overhead" : ""),
        x_(copy_of(p)),
        sums_(static_cast<std::size_t>(p.team.threads())) {}

  void finish(Result<Real>& out) {
    out.y[0] = 0;
    for (const Sum& sum : sums_) out.y[0] += sum.value;
  }

 protected:
  static constexpr std::size_t piece = 64;

  std::size_t size() const { return x_.size(); }

  /// What the calling thread has of the piece that begins at `first`.
  void add(std::size_t first) {
    const int thread = omp_get_thread_num();
    const auto [begin, end] = share(std::min(piece, size() - first), thread, omp_get_num_threads());
    sums_[static_cast<std::size_t>(thread)].value += sum_in_a_chain(x_.data() + first + begin, end - begin);
  }

 private:
  Buffer<Real> x_;
  std::vector<Sum> sums_;
};

}  // namespace uotbench::bottleneck
