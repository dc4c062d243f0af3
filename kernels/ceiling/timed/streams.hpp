// What the kernels that move memory have in common: every thread owns a part of every array, touches it
// first, and goes over it again and again, a full vector at a time.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <experimental/simd>
#include <limits>
#include <string>
#include <vector>

#include "harness/worker/buffer.hpp"
#include "harness/worker/parallel.hpp"
#include "kernels/ceiling/problem.hpp"
#include "kernels/ceiling/shared/passes.hpp"
#include "kernels/common/write_past.hpp"

namespace uotbench::ceiling {

namespace simd = std::experimental;

/// `arrays` arrays of N elements, in parts, each of them `repeat` times in a row. T is the problem's
/// Real, or an integer of its width.
template <class T>
class Streams {
 public:
  /// One thread's part of each array, aligned to a cache line.
  struct alignas(cache_line) Part {
    std::vector<Buffer<T>> arrays;
    std::size_t period = 0, size = 0;  ///< elements of one repetition, and of all
    T sum = 0;                         ///< for what it finds in them
    T* operator[](std::size_t array) { return arrays[array].data(); }
  };

  /// Element i of array k begins as value(k, i).
  template <class Real, class Value>
  Streams(const Problem<Real>& problem, int arrays, const Value& value)
      : N_(problem.N),
        repeats_(static_cast<std::size_t>(repeats(problem.at))),
        passes_(passes(problem.at, arrays)),
        parts_(static_cast<std::size_t>(problem.team.threads())) {
#pragma omp parallel
    {
      const int thread = omp_get_thread_num();
      const auto [first, last] = share(N_, thread, omp_get_num_threads());
      Part& part = parts_[static_cast<std::size_t>(thread)];
      part.period = last - first;
      part.size = part.period * repeats_;
      for (int k = 0; k < arrays; ++k) {
        T* to = part.arrays.emplace_back(part.size).data();
        for (std::size_t r = 0; r < repeats_; ++r)
          for (std::size_t i = 0; i < part.period; ++i) *to++ = value(k, first + i);
      }
    }
  }

  /// An iteration: every thread calls body(its part, number of the pass) for each pass, counted from 1 over
  /// all iterations. Nothing of a pass can be merged with the next.
  template <class Body>
  void iterate(const Body& body) {
#pragma omp parallel
    {
      Part& part = parts_[static_cast<std::size_t>(omp_get_thread_num())];
      for (std::int64_t pass = 1; pass <= passes_; ++pass) {
        body(part, done_ + pass);
        asm volatile("" ::: "memory");
      }
    }
    done_ += passes_;
  }

  T sum() const {
    T all = 0;
    for (const Part& part : parts_) all += part.sum;
    return all;
  }

  /// Array k, whole again. Where repetitions differ there is no number.
  void gather(std::size_t k, std::span<T> y) {
#pragma omp parallel
    {
      const int thread = omp_get_thread_num();
      Part& part = parts_[static_cast<std::size_t>(thread)];
      const std::size_t first = share(N_, thread, omp_get_num_threads()).first;
      T* const to = y.data() + first;
      std::copy(part[k], part[k] + part.period, to);
      for (std::size_t r = 1; r < repeats_; ++r)
        for (std::size_t i = 0; i < part.period; ++i)
          if (to[i] != part[k][r * part.period + i]) to[i] = std::numeric_limits<T>::quiet_NaN();
    }
  }

 private:
  std::size_t N_, repeats_;
  std::int64_t passes_, done_ = 0;
  std::vector<Part> parts_;
};

/// Calls body(a vector type's value, i) so that every element of n is in one vector that begins at i; what
/// fills no vector comes one by one. Vectors begin at multiples of their size.
template <class T, class Body>
void in_vectors(std::size_t n, const Body& body) {
  using Pack = simd::native_simd<T>;
  using One = simd::simd<T, simd::simd_abi::scalar>;
  constexpr std::size_t unrolled = 4;
  std::size_t i = 0;
  for (; i + unrolled * Pack::size() <= n; i += unrolled * Pack::size())
    for (std::size_t k = 0; k < unrolled; ++k) body(Pack(), i + k * Pack::size());
  for (; i < n; ++i) body(One(), i);
}

/// For VariantSpec::foreign_code.
inline std::string writes_past(const Point&) { return "stores that go past the caches"; }

inline Axis repeat_axis() {
  return {.name = "repeat",
          .standard = 1,
          .least = 1,
          .most = 1 << 20,
          .about = "times that each array holds its N elements: a working set larger than the input"};
}

/// Software prefetch: with it some memories give more than the hardware's prefetchers alone get.
inline Axis ahead_axis() {
  return {.name = "ahead",
          .standard = 0,
          .least = 0,
          .most = 4096,
          .about = "cache lines that are prefetched ahead of their use; 0: none"};
}
template <class Real>
std::size_t elements_ahead(const Point& at) {
  return at.size("ahead") * cache_line / sizeof(Real);
}

/// The number of a pass, in the first element of each repetition.
template <class Part, class Real>
void count_pass(const Part& part, Real* x, std::int64_t pass) {
  for (std::size_t i = 0; i < part.size; i += part.period) x[i] = static_cast<Real>(pass);
}

/// Arrays that one pass reads and writes, those whose lines a write has to fetch first, those written past
/// the caches, and flops an element.
struct Pass {
  int arrays = 1, reads = 0, writes = 0, fetched = 0, past = 0, flops = 0;
};

inline Work work_of(const Pass& pass, const Point& at) {
  const double elements = at.number("N") * repeats(at), array = width(at) * elements;
  const auto times = static_cast<double>(passes(at, pass.arrays));
  Work work{.flops = times * pass.flops * elements,
            .bytes_read = times * pass.reads * array,
            .bytes_written = times * pass.writes * array,
            .write_allocate = times * pass.fetched * array,
            .bytes_nontemporal = times * pass.past * array,
            .working_set = pass.arrays * array};
  // COPY, SCALE and AXPY of the latency model; it knows no reading or writing alone.
  if (pass.reads > 0 && pass.writes > 0)
    work.element = {.elements = times * elements,
                    .flops = static_cast<double>(pass.flops),
                    .memory = static_cast<double>(pass.reads + pass.writes)};
  return work;
}

}  // namespace uotbench::ceiling
