// one_read for a matrix that is in a cache. Rows go in tiles that stay in the first caches. Threads wait in a
// loop, and once an iteration: each finds all of v itself, for which it needs the others' sums and nothing
// more, and sums alternate between two places.
#include "kernels/uot/timed/cached_tile.hpp"
#include "kernels/uot/timed/scalings.hpp"
#include "kernels/uot/timed/spinning_threads.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class OneReadTiled {
 public:
  static constexpr KernelTraits declares{.restarts = true};

  explicit OneReadTiled(const Problem<Real>& problem)
      : p_(problem),
        threads_of_(problem.team.threads()),
        stride_((problem.N / line + 2) * line),
        K_(private_copy(problem)),
        scalings_(problem),
        tile_(problem, problem.at.size("tile")),
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

  Real* sums_of(int part, bool odd) {
    return sums_.data() + (2 * static_cast<std::size_t>(part) + odd) * stride_;
  }

  void pass(int part) {
    const bool odd = odd_;  // of this run: the next one may begin while v is made
    Real *const sums = sums_of(part, odd), *const v = v_.data() + stride_ * static_cast<std::size_t>(part);
    if (fresh_) std::fill_n(v, p_.N, Real(1));
    std::fill_n(sums, p_.N, Real(0));
    const auto [first, last] = share(p_.M, part, threads_of_);
    tile_.rows(K_.data() + first * p_.N, last - first, &p_.a[first], &scalings_.u[first], v, sums);
    threads_.meet();
    tile_.columns(p_.b.data(), v, [&]<class V>(V total, std::size_t j) {
      total = Real(0);
      for (int t = 0; t < threads_of_; ++t)
        total += V(sums_of(t, odd) + j, std::experimental::element_aligned);
      return total;
    });
  }

  const Problem<Real>& p_;
  int threads_of_;
  std::size_t stride_;  ///< between threads: whole lines, and one more
  Buffer<Real> K_;
  Scalings<Real> scalings_;
  CachedTile<Real> tile_;
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
