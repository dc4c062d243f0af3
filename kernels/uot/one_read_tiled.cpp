// one_read for a matrix that is in a cache. Rows go in tiles that stay in the first caches: the dots of a
// tile, the powers of all of it, its column sums. So a tile waits once for a power, where one_read waits for
// one in every few rows. Threads wait in a loop, and once an iteration: each finds all of v itself, for which
// it needs the others' sums and nothing more, and sums alternate between two places.
#include "kernels/uot/parts/fused_pass.hpp"
#include "kernels/uot/parts/next_scalings.hpp"
#include "kernels/uot/parts/scalings.hpp"
#include "kernels/uot/parts/spinning_threads.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class OneReadTiled {
  using Pack = simd::native_simd<Real>;
  using One = simd::simd<Real, simd::simd_abi::scalar>;

 public:
  static constexpr Declares declares{.restarts = true};

  explicit OneReadTiled(const Problem<Real>& problem)
      : p_(problem),
        tile_(problem.at.size("tile")),
        threads_of_(problem.team.threads()),
        stride_((problem.N / line + 2) * line),
        K_(private_copy(problem)),
        scalings_(problem),
        next_(problem),
        sums_(2 * stride_ * static_cast<std::size_t>(threads_of_)),
        v_(stride_ * static_cast<std::size_t>(threads_of_)),
        threads_(problem.team, [this](int part) { pass(part); }) {}

  void restart() {
    scalings_.restart();
    fresh_ = true;
  }
  void iterate() {
    scalings_.remember();
    odd_ = !odd_;
    threads_.run();
    fresh_ = false;
    std::copy_n(v_.data(), p_.N, scalings_.v.data());
  }
  Change<Real> change() const { return scalings_.change(); }
  void finish(Result<Real>& out) { write_result<Real>(out, p_, scalings_.u, scalings_.v); }

 private:
  static constexpr std::size_t line = cache_line / sizeof(Real);

  /// Calls act(V, j) for all of `count` by vectors, then one by one.
  template <class Act>
  static void each(std::size_t count, Act act) {
    std::size_t j = 0;
    for (; j + Pack::size() <= count; j += Pack::size()) act(Pack(), j);
    for (; j < count; ++j) act(One(), j);
  }

  Real* sums_of(int part, bool odd) {
    return sums_.data() + (2 * static_cast<std::size_t>(part) + odd) * stride_;
  }

  void pass(int part) {
    const bool odd = odd_;  // of this run: the next one may begin while v is made
    Real *const sums = sums_of(part, odd), *const v = v_.data() + stride_ * static_cast<std::size_t>(part);
    if (fresh_) std::fill_n(v, p_.N, Real(1));
    std::fill_n(sums, p_.N, Real(0));
    const auto [first, last] = share(p_.M, part, threads_of_);
    for (std::size_t i = first; i < last; i += tile_) rows(i, std::min(tile_, last - i), v, sums);
    threads_.meet();
    each(p_.N, [&]<class V>(V total, std::size_t j) {
      total = Real(0);
      for (int t = 0; t < threads_of_; ++t) total += V(sums_of(t, odd) + j, simd::element_aligned);
      next_(v + j, &p_.b[j], total);
    });
  }

  void rows(std::size_t i, std::size_t count, const Real* v, Real* sums) {
    alignas(cache_line) Real dots[most_rows];
    Real* const u = &scalings_.u[i];
    in_groups(4, 0, count, [&]<int R>(std::integral_constant<int, R>, std::size_t r) {
      dots_of<R>(K_.data() + (i + r) * p_.N, v, dots + r);
    });
    each(count,
         [&]<class V>(V, std::size_t r) { next_(u + r, &p_.a[i + r], V(dots + r, simd::element_aligned)); });
    in_groups(4, 0, count, [&]<int R>(std::integral_constant<int, R>, std::size_t r) {
      add<R>(K_.data() + (i + r) * p_.N, u + r, sums);
    });
  }

  template <int R>
  void dots_of(const Real* cells, const Real* v, Real* dots) const {
    const std::size_t N = p_.N;
    Pack dot[R] = {};
    One rest[R] = {};
    each(N, [&]<class V>(V factor, std::size_t j) {
      factor.copy_from(v + j, simd::element_aligned);
      for (int r = 0; r < R; ++r) {
        const V more = V(cells + r * N + j, simd::element_aligned) * factor;
        if constexpr (std::is_same_v<V, One>)
          rest[r] += more;
        else
          dot[r] += more;
      }
    });
    for (int r = 0; r < R; ++r) dots[r] = reduce(dot[r]) + rest[r][0];
  }
  template <int R>
  void add(const Real* cells, const Real* u, Real* sums) const {
    const std::size_t N = p_.N;
    Real factors[R];
    std::copy_n(u, R, factors);
    each(N, [&]<class V>(V sum, std::size_t j) {
      sum.copy_from(sums + j, simd::element_aligned);
      for (int r = 0; r < R; ++r) sum += V(cells + r * N + j, simd::element_aligned) * V(factors[r]);
      sum.copy_to(sums + j, simd::element_aligned);
    });
  }

  static constexpr std::size_t most_rows = 128;

  const Problem<Real>& p_;
  std::size_t tile_;
  int threads_of_;
  std::size_t stride_;  ///< between threads: whole lines, and one more
  Buffer<Real> K_;
  Scalings<Real> scalings_;
  NextScalings<Real> next_;
  Buffer<Real> sums_, v_;
  bool odd_ = false, fresh_ = true;
  SpinningThreads threads_;  // last: they use all of it
};

Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = width(at) * cells(at)}; }

const Variant<OneReadTiled<float>, OneReadTiled<double>> variant{{
    .name = "uot/one_read_tiled",
    .summary =
        "one_read for matrices in caches: rows in tiles, threads that wait in a loop (1 MN elements moved)",
    .axes = {{.name = "tile", .standard = 64, .values = {16, 32, 64, 128}, .about = "rows of a tile"}},
    .work = work,
}};

}  // namespace
}  // namespace uotbench::uot
