// A batch of small problems: each is iterated on by one thread alone, several times in a call, while its K
// stays in the first caches. So threads wait for each other once a call and never within an iteration.
#include "kernels/uot/timed/cached_tile.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class OneReadBatch {
 public:
  static constexpr KernelTraits declares{.restarts = true};
  static constexpr Takes takes{.batches = true};

  explicit OneReadBatch(const Problem<Real>& problem)
      : p_(problem),
        steps_(problem.at.integer("steps")),
        K_(problem.K.size()),
        u_(problem.a.size(), 1),
        v_(problem.b.size(), 1),
        tile_(problem, rows_in_half_l1(problem.N)) {
    const std::size_t cells = p_.M * p_.N;
#pragma omp parallel for schedule(static)
    for (std::size_t item = 0; item < p_.B(); ++item)  // by the thread that works on it
      std::copy_n(p_.K.data() + item * cells, cells, K_.data() + item * cells);
  }

  void restart() {
    std::ranges::fill(u_, Real(1));
    std::ranges::fill(v_, Real(1));
  }
  void iterate() {
#pragma omp parallel if (p_.team.threads() > 1)
    {
      std::vector<Real> sums(p_.N);
#pragma omp for schedule(static)
      for (std::size_t item = 0; item < p_.B(); ++item) iterate(item, sums);
    }
  }
  void finish(Result<Real>& out) { write_result<Real>(out, p_, u_, v_); }

 private:
  static std::size_t rows_in_half_l1(std::size_t N) {
    return std::clamp<std::size_t>(16384 / (N * sizeof(Real)), 16, 128);
  }

  void iterate(std::size_t item, std::vector<Real>& sums) {
    const std::size_t M = p_.M, N = p_.N;
    const Real *const K = K_.data() + item * M * N, *const a = &p_.a[item * M], *const b = &p_.b[item * N];
    Real *const u = &u_[item * M], *const v = &v_[item * N];
    for (std::int64_t step = 0; step < steps_; ++step) {
      std::ranges::fill(sums, Real(0));
      tile_.rows(K, M, a, u, v, sums.data());
      tile_.columns(b, v, [&]<class V>(V total, std::size_t j) {
        total.copy_from(&sums[j], std::experimental::element_aligned);
        return total;
      });
    }
  }

  const Problem<Real>& p_;
  std::int64_t steps_;
  Buffer<Real> K_;
  std::vector<Real> u_, v_;
  CachedTile<Real> tile_;
};

std::int64_t steps(const Point& at) { return at.integer("steps"); }

Work work(const Point& at) {
  const double all = static_cast<double>(steps(at)) * cells(at);
  return {.flops = 4 * all,
          .bytes_read = width(at) * all,
          .working_set =
              std::min(at.number("threads"), at.number("B")) * width(at) * at.number("M") * at.number("N")};
}

const Variant<OneReadBatch<float>, OneReadBatch<double>> variant{{
    .name = "uot/one_read_batch",
    .summary =
        "one_read for batches of small problems: each by one thread, several iterations while it is in "
        "cache (1 BMN elements moved)",
    .axes = {{.name = "steps", .standard = 10, .least = 1, .most = 1000, .about = "iterations of a call"}},
    .work = work,
    .steps = steps,
}};

}  // namespace
}  // namespace uotbench::uot
