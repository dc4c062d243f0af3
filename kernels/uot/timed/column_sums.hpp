// Column sums of a matrix whose rows are split over threads: each adds up its own, then all are added.
//
// Every thread adds up its part of the columns over all T threads: all of them read T N sums of each other.
// Where threads use several caches of the last level, as on CPUs made of chiplets or on two sockets,
// most of that crosses from one to another. With groups, of G threads at one such cache, a group adds up
// its own sums first, and then the T / G groups' are added: all threads read T N sums in their own cache,
// and T / G N across, for one barrier more. (Allreduce of MPI libraries does so with nodes: Thakur,
// Rabenseifner, Gropp 2005, section 4.5, has the reduce-scatter of which these are the two levels.)
#pragma once

#include <omp.h>

#include <algorithm>
#include <experimental/simd>
#include <type_traits>
#include <vector>

#include "harness/worker/parallel.hpp"
#include "harness/worker/team.hpp"
#include "kernels/uot/problem.hpp"
#include "kernels/uot/timed/in_page.hpp"

namespace uotbench::uot {

/// The axis `group`.
inline Axis group_of_sums() {
  return {.name = "group",
          .standard = 0,
          .least = 0,
          .most = 4096,
          .about =
              "threads, at most, that add up their column sums before all do; 1: none; 0: those that "
              "share a last-level cache, of rows from 16 KiB on"};
}

/// How many threads make a group: a divisor of the team's threads. 1, or all of them: there are no groups.
template <class Real>
int threads_of_group(const Problem<Real>& problem) {
  const int threads = problem.team.threads();
  auto most = problem.at.has("group") ? problem.at.integer("group") : std::int64_t{1};
  if (most == 0) {
    // What a group saves its threads is N lines from afar, what it costs is a barrier: 1 us, or 10 to 20 KiB.
    constexpr std::size_t worth_a_barrier = 16 << 10;
    const bool large = problem.N * sizeof(Real) >= worth_a_barrier;
    most = large && problem.team.pinned() ? threads_a_last_cache(problem.team.cpus(), threads) : 1;
  }
  int group = static_cast<int>(std::min<std::int64_t>(most, threads));
  while (threads % group != 0) --group;
  return group;
}

template <class Real>
class ColumnSums {
 public:
  explicit ColumnSums(const Problem<Real>& problem)
      : columns_(problem.N),
        stride_(padded(problem.N)),
        threads_(problem.team.threads()),
        group_(threads_of_group(problem)),
        partial_(stride_ * static_cast<std::size_t>(threads_), sums_in_page) {}

  /// The calling thread's accumulators, set to zero: call once in a parallel region, before adding rows.
  Real* mine() { return of(omp_get_thread_num()); }
  /// Those of a thread of the kernel's own.
  Real* of(int thread) {
    Real* const sums = partial_.data() + stride_ * static_cast<std::size_t>(thread);
    std::fill_n(sums, columns_, Real(0));
    return sums;
  }

  /// Calls take(j, sum of column j) for every column; columns are split over the threads. A `take` that takes
  /// vectors gets the sums of columns j, j + 1, ... in one.
  template <class Take>
  void reduce(Take take) {
#pragma omp parallel
    reduce_mine(take);
  }
  /// The same of the calling thread's columns, in a parallel region: all of its threads call it.
  template <class Take>
  void reduce_mine(Take& take) {
    const int thread = omp_get_thread_num();
    if (group_ == 1 || group_ == threads_) {
      const auto [first, last] = lines_of(thread, omp_get_num_threads());
      return each_total({0, 1, threads_}, first, last, take);
    }
    // A member's columns are those of `groups` threads that take them afterwards.
    const int groups = threads_ / group_, first_of_mine = thread / group_ * group_;
    const auto [from, to] = lines_of(thread - first_of_mine, group_);
    Real* const sums = partial_.data() + stride_ * static_cast<std::size_t>(thread);
    auto keep = [sums](std::size_t j, const auto& sum) {
      sum.copy_to(sums + j, std::experimental::element_aligned);
    };
    each_total({first_of_mine, 1, group_}, from, to, keep);
#pragma omp barrier
    const auto [first, last] = lines_of(thread, threads_);
    each_total({thread / groups, group_, groups}, first, last, take);
  }

  int group() const { return group_; }  ///< threads that add up their sums first

  /// The sum of column j, as long as nothing was reduced.
  Real total(std::size_t j) const { return total({0, 1, threads_}, j); }

 private:
  using Pack = std::experimental::native_simd<Real>;
  using One = std::experimental::simd<Real, std::experimental::simd_abi::scalar>;
  static constexpr std::size_t line = cache_line / sizeof(Real);

  /// The accumulators of `count` threads: `first`, `first` + `step`, ...
  struct Threads {
    int first, step, count;
  };

  /// Calls take() for the columns j to `last`, of these threads' sums.
  template <class Take>
  void each_total(const Threads& of, std::size_t j, std::size_t last, Take& take) const {
    if constexpr (std::is_invocable_v<Take&, std::size_t, Pack>) {
      for (; j + Pack::size() <= last; j += Pack::size()) take(j, totals<Pack>(of, j));
      for (; j < last; ++j) take(j, totals<One>(of, j));
    } else {
      for (; j < last; ++j) take(j, total(of, j));
    }
  }

  Real total(const Threads& of, std::size_t j) const {
    Real sum = 0;
    for (int t = 0; t < of.count; ++t) sum += sums_of(of, t)[j];
    return sum;
  }

  template <class V>
  V totals(const Threads& of, std::size_t j) const {
    V sum = Real(0);
    for (int t = 0; t < of.count; ++t) sum += V(sums_of(of, t) + j, std::experimental::element_aligned);
    return sum;
  }

  const Real* sums_of(const Threads& of, int t) const {
    return partial_.data() + stride_ * static_cast<std::size_t>(of.first + t * of.step);
  }

  /// Columns of part `index` of `parts`, which no other part has lines of.
  std::pair<std::size_t, std::size_t> lines_of(int index, int parts) const {
    const auto [first, last] = share((columns_ + line - 1) / line, index, parts);
    return {std::min(columns_, first * line), std::min(columns_, last * line)};
  }

  /// Whole cache lines, and one between threads, so that no two threads write to one (false sharing).
  static std::size_t padded(std::size_t columns) { return (columns + line - 1) / line * line + line; }

  std::size_t columns_, stride_;
  int threads_, group_;
  InPage<Real> partial_;
};

}  // namespace uotbench::uot
