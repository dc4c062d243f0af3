// Reads, changes or copies whole arrays as `read`, `rmw` and `copy` do, but their cache lines in the order in
// which columns of a matrix with rows of 4 KiB touch them: each line once a pass, 4 KiB after the one before.
// No prefetcher follows, neighbours in time compete for one set of L1 (64 sets of 64 bytes), and nothing of a
// line waits for another. y is that of the kernels in order.
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/ceiling/timed/loads.hpp"
#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

/// Calls act(line) for each of `lines`.
template <class Act>
void each_by_columns(std::size_t lines, const Act& act) {
  constexpr std::size_t of_row = 4096 / cache_line;
  for (std::size_t column = 0; column < of_row; ++column)
    for (std::size_t line = column; line < lines; line += of_row) act(line);
}

/// As in_vectors, with the vectors of a line together, and lines by columns.
template <class T, class Body>
void in_columns(std::size_t n, const Body& body) {
  using Pack = simd::native_simd<T>;
  using One = simd::simd<T, simd::simd_abi::scalar>;
  constexpr std::size_t of_line = cache_line / sizeof(T);
  each_by_columns(n / of_line, [&](std::size_t line) {
    for (std::size_t k = 0; k < of_line; k += Pack::size()) body(Pack(), line * of_line + k);
    asm volatile("" ::: "memory");  // or the compiler might go by rows
  });
  for (std::size_t i = n / of_line * of_line; i < n; ++i) body(One(), i);
}

template <class Real>
class StridedRead {
  using Word = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  static constexpr std::size_t register_bytes = sizeof(simd::native_simd<Word>);

 public:
  explicit StridedRead(const Problem<Real>& problem)
      : streams_(problem, 1, [&](int, std::size_t i) {
          Word word;
          std::memcpy(&word, &problem.x[i], sizeof word);
          return word;
        }) {}

  void iterate() {
    streams_.iterate([](auto& part, std::int64_t) {
      part.sum += sum_by<register_bytes>(part[0], part.size, [&](const auto& act) {
        each_by_columns(part.size * sizeof(Word) / cache_line, act);
      });
    });
  }

  void finish(Result<Real>& out) {
    const Word sum = streams_.sum();
    std::memcpy(&out.y[0], &sum, sizeof sum);
  }

 private:
  Streams<Word> streams_;
};

template <class Real>
class StridedReadModifyWrite {
 public:
  explicit StridedReadModifyWrite(const Problem<Real>& problem)
      : streams_(problem, 1, [&](int, std::size_t i) { return problem.x[i]; }) {}

  void iterate() {
    streams_.iterate([](auto& part, std::int64_t pass) {
      Real* const y = part[0];
      const Real factor = (pass - 1) / 32 % 2 == 0 ? Real(2) : Real(0.5);
      in_columns<Real>(part.size, [=](auto vector, std::size_t i) {
        (decltype(vector)(y + i, simd::vector_aligned) * factor).copy_to(y + i, simd::vector_aligned);
      });
    });
  }

  void finish(Result<Real>& out) { streams_.gather(0, out.y); }

 private:
  Streams<Real> streams_;
};

template <class Real>
class StridedCopy {
 public:
  explicit StridedCopy(const Problem<Real>& problem)
      : streams_(problem, 2, [&](int array, std::size_t i) { return array == 0 ? problem.x[i] : Real(0); }) {}

  void iterate() {
    streams_.iterate([](auto& part, std::int64_t pass) {
      Real *const x = part[0], *const y = part[1];
      count_pass(part, x, pass);
      in_columns<Real>(part.size, [=](auto vector, std::size_t i) {
        decltype(vector)(x + i, simd::vector_aligned).copy_to(y + i, simd::vector_aligned);
      });
    });
  }

  void finish(Result<Real>& out) { streams_.gather(1, out.y); }

 private:
  Streams<Real> streams_;
};

/// The latency model of operations on elements is one of streams.
Work without_element(Work work) {
  work.element.reset();
  return work;
}
Work read_work(const Point& at) { return work_of({.reads = 1}, at); }
Work rmw_work(const Point& at) {
  return without_element(work_of({.arrays = 1, .reads = 1, .writes = 1, .flops = 1}, at));
}
Work copy_work(const Point& at) {
  return without_element(work_of({.arrays = 2, .reads = 1, .writes = 1, .fetched = 1}, at));
}

const Variant<StridedRead<float>, StridedRead<double>> read{{
    .name = "ceiling/strided_read",
    .summary = "reads an array, each line 4 KiB after the one before",
    .axes = {repeat_axis()},
    .work = read_work,
    .measures = Measures{"strided_read", 1},
}};

const Variant<StridedReadModifyWrite<float>, StridedReadModifyWrite<double>> rmw{{
    .name = "ceiling/strided_rmw",
    .summary = "multiplies an array in place, each line 4 KiB after the one before",
    .axes = {repeat_axis()},
    .work = rmw_work,
    .measures = Measures{"strided_rmw", 1},
}};

const Variant<StridedCopy<float>, StridedCopy<double>> copy{{
    .name = "ceiling/strided_copy",
    .summary = "copies an array, each line 4 KiB after the one before",
    .axes = {repeat_axis()},
    .work = copy_work,
    .measures = Measures{"strided_copy", 2},
}};

}  // namespace
}  // namespace uotbench::ceiling
