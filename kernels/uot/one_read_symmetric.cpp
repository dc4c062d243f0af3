// K = K': the upper triangle is enough, and two sweeps over it take three half steps. With x known (u or v) a
// sweep down the rows finds K x one entry after the other: what rows above contribute to entry i was added
// when they were read, the rest is in row i. So z_i, the other scaling's entry, is known at row i, and what
// row i contributes to K z below it is added at once. A sweep up adds what is missing, again entry after
// entry: x'_i is known at row i, so that the same sweep collects all of K x', and z' needs no sweep at all.
//   iteration 1  down: u, up: v and K v;  iteration 2  u of that K v, down: v;  iteration 3  up: u, then v
// Three iterations in four sweeps over half the matrix: 2/3 MN elements an iteration. Rows go by panels,
// whose entries wait for nothing but the panel before; threads share a panel's columns and wait for one
// another once a panel, about 1 us. So 4096 x 4096 f32 takes 0.75 of one_read's time on one thread (2/3 would
// be all) and 0.93 on two; 1.5 with a barrier of OpenMP. Panels of 16 rows instead of 32: 8% less on one, 1%
// more on two; of 64: 12% more, 6% less. To wait after adding, not before: 29% more on one, as memory is not
// read meanwhile.
#include <omp.h>

#include <atomic>
#include <thread>

#include "kernels/uot/timed/scalings.hpp"
#include "kernels/uot/timed/upper_panels.hpp"

namespace uotbench::uot {
namespace {

namespace simd = std::experimental;

template <class Real>
class OneReadSymmetric {
  using Panels = UpperPanels<Real>;
  using Pack = typename Panels::Pack;
  using Vector = std::vector<Real>;
  static constexpr std::size_t height = Panels::height;
  static constexpr int R = Panels::group;

  /// A thread's part of the dots of a panel's rows with two vectors,
  struct Dots {
    Pack x[height] = {}, z[height] = {};
  };
  struct Sums {
    Real x[height] = {}, z[height] = {};
  };
  /// and where the others see it. Panels take turns with two places, so that nobody writes where somebody
  /// still reads: who has put up a panel has read the one before.
  struct alignas(2 * cache_line) Board {
    Sums sums[2];
    std::atomic<std::int64_t> panels{0};  ///< put up so far
  };

  /// What a thread does in a sweep with rows of the next panel: their dots with x, with x and z, or with x
  /// while they are added, times `rows`, to Kx. Rows of the last one are added, times `factors`, to `added`.
  enum class Look { none, dot, dot_and_add, two_dots };
  struct Sweep {
    const Real* x;
    const Real* z = nullptr;
    Real* Kx = nullptr;
    Real* added;
    const Real* rows = nullptr;
    Real factors[height] = {};  ///< zeros: there is no last panel yet
    Dots dots = {};
  };

 public:
  static constexpr KernelTraits declares{.restarts = true};

  explicit OneReadSymmetric(const Problem<Real>& problem)
      : p_(problem),
        K_(problem),
        scalings_(problem),
        next_(K_.side()),
        Kx_(K_.side()),
        Kz_(K_.side()),
        boards_(static_cast<std::size_t>(problem.team.threads())) {
    restart();
  }

  void restart() {
    scalings_.restart();
    for (Vector* scaling : {&scalings_.u, &scalings_.v}) {
      scaling->resize(p_.N);
      scaling->resize(K_.side(), Real(0));
    }
    turn_ = 0;
  }

  void iterate() {
    scalings_.remember();
    auto &u = scalings_.u, &v = scalings_.v;
    if (turn_ == 0) {
      down(v, u, p_.a);
      up(u, v, p_.b);
    } else if (turn_ == 1) {
      finish_step(u, p_.a);
      down(u, v, p_.b);
    } else {
      up(v, u, p_.a);
      finish_step(v, p_.b);
    }
    turn_ = (turn_ + 1) % 3;
  }

  Change<Real> change() const { return scalings_.change(); }

  void finish(Result<Real>& out) {
    const std::span<const Real> u = scalings_.u, v = scalings_.v;
    write_result<Real>(out, p_, u.first(p_.N), v.first(p_.N));
  }

 private:
  /// z of K x, and into Kz_ what of K z the rows above and of each panel contribute.
  void down(const Vector& x, Vector& z, std::span<const Real> mass) {
    std::ranges::fill(Kx_, Real(0));
    std::ranges::fill(Kz_, Real(0));
#pragma omp parallel
    {
      Sweep sweep{.x = x.data(), .Kx = Kx_.data(), .added = Kz_.data()};
      for (std::size_t p = 0; p < K_.panels(); ++p) {
        const std::size_t i = p * height, below = i + height, last = p > 0 ? p - 1 : p;
        const auto [first, end] = mine(i);
        sweep.rows = &x[i];
        if (first == i) {
          if (last < p) columns<Look::none>(sweep, last, p, last * height, i);
          columns<Look::dot>(sweep, last, p, i, below);
        }
        columns<Look::dot_and_add>(sweep, last, p, std::max(first, below), end);
        const Sums sums = exchange(sweep.dots);
        for (std::size_t r = 0; r < height; ++r)
          sweep.factors[r] = step(z[i + r], mass, i + r, Kx_[i + r] + sums.x[r]);
        if (first == i) std::copy_n(sweep.factors, height, &next_[i]);
      }
      add_last(K_.panels() - 1, sweep);
    }
    std::swap(z, next_);
  }

  /// The rest of K z in Kz_, x of it, and all of K x in Kx_.
  void up(const Vector& z, Vector& x, std::span<const Real> mass) {
    std::ranges::fill(Kx_, Real(0));
#pragma omp parallel
    {
      Sweep sweep{.x = z.data(), .z = next_.data(), .added = Kx_.data()};
      for (std::size_t p = K_.panels(); p-- > 0;) {
        const std::size_t i = p * height, below = i + height;
        const auto [first, end] = mine(below);
        columns<Look::two_dots>(sweep, p + 1, p, first, end);
        const Sums sums = exchange(sweep.dots);
        for (std::size_t r = 0; r < height; ++r)
          sweep.factors[r] = step(x[i + r], mass, i + r, Kz_[i + r] + sums.x[r]);
        if (omp_get_thread_num() > 0) continue;  // its is the diagonal
        std::copy_n(sweep.factors, height, &next_[i]);
        for (std::size_t r = 0; r < height; ++r) Kx_[i + r] += sums.z[r];
      }
      add_last(0, sweep);
    }
    std::swap(x, next_);
  }

  /// The scaling whose product up() has left in Kx_.
  void finish_step(Vector& z, std::span<const Real> mass) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.N; ++i) z[i] = step(z[i], mass, i, Kx_[i]);
  }

  Real step(Real scaling, std::span<const Real> mass, std::size_t i, Real sum) const {
    return i < p_.N ? next_scaling(scaling, mass[i], sum, p_) : Real(0);
  }

  void add_last(std::size_t panel, Sweep& sweep) const {
    const auto [first, end] = mine(panel * height);
    columns<Look::none>(sweep, panel, panel, first, end);
  }

  std::pair<std::size_t, std::size_t> mine(std::size_t first) const {
    return K_.columns(first, omp_get_thread_num(), omp_get_num_threads());
  }

  /// Adds rows of the panel before, which are still in cache, and looks at those of the next, so that memory
  /// is read all the time.
  template <Look look>
  void columns(Sweep& sweep, std::size_t last, std::size_t next, std::size_t first, std::size_t end) const {
    constexpr std::size_t ahead = 1024 / sizeof(Real);
    if (first >= end) return;
    for (std::size_t row = 0; row < height; row += R) {
      Pack factors[R], rows[R], x_dots[R], z_dots[R];
      for (int r = 0; r < R; ++r) {
        factors[r] = sweep.factors[row + r];
        if constexpr (look != Look::none) x_dots[r] = sweep.dots.x[row + r];
        if constexpr (look == Look::two_dots) z_dots[r] = sweep.dots.z[row + r];
        if constexpr (look == Look::dot_and_add) rows[r] = sweep.rows[row + r];
      }
      const Real* from = K_.at(last, row / R, first);
      const Real* cells = K_.at(look == Look::none ? last : next, row / R, first);
      for (std::size_t j = first; j < end; j += Pack::size()) {
        Pack added = pack(sweep.added + j), x, z, Kx;
        if constexpr (look != Look::none) x = pack(sweep.x + j);
        if constexpr (look == Look::two_dots) z = pack(sweep.z + j);
        if constexpr (look == Look::dot_and_add) Kx = pack(sweep.Kx + j);
        for (int r = 0; r < R; ++r) {
          added += pack(from) * factors[r];
          from += Pack::size();
          if constexpr (look != Look::none) {
            __builtin_prefetch(cells + ahead);
            const Pack cell = pack(cells);
            cells += Pack::size();
            x_dots[r] += cell * x;
            if constexpr (look == Look::two_dots) z_dots[r] += cell * z;
            if constexpr (look == Look::dot_and_add) Kx += cell * rows[r];
          }
        }
        added.copy_to(sweep.added + j, simd::element_aligned);
        if constexpr (look == Look::dot_and_add) Kx.copy_to(sweep.Kx + j, simd::element_aligned);
      }
      for (int r = 0; r < R; ++r) {
        if constexpr (look != Look::none) sweep.dots.x[row + r] = x_dots[r];
        if constexpr (look == Look::two_dots) sweep.dots.z[row + r] = z_dots[r];
      }
    }
  }

  static Pack pack(const Real* at) { return Pack(at, simd::element_aligned); }

  /// The sums over all threads of what is in `dots`, which is cleared; for all threads the same. Also the
  /// only place where they wait for one another.
  Sums exchange(Dots& dots) {
    Board& mine = boards_[static_cast<std::size_t>(omp_get_thread_num())];
    const std::int64_t panel = mine.panels.load(std::memory_order_relaxed);
    for (std::size_t r = 0; r < height; ++r) {
      mine.sums[panel % 2].x[r] = simd::reduce(dots.x[r]);
      mine.sums[panel % 2].z[r] = simd::reduce(dots.z[r]);
    }
    dots = {};
    mine.panels.store(panel + 1, std::memory_order_release);
    Sums all;
    for (const Board& board : boards_) {
      for (int tries = 0; board.panels.load(std::memory_order_acquire) <= panel; ++tries)
        if (tries > 1000) std::this_thread::yield();  // it may be waiting for this CPU
      for (std::size_t r = 0; r < height; ++r) {
        all.x[r] += board.sums[panel % 2].x[r];
        all.z[r] += board.sums[panel % 2].z[r];
      }
    }
    return all;
  }

  const Problem<Real>& p_;
  UpperPanels<Real> K_;
  Scalings<Real> scalings_;
  Vector next_;     ///< of the scaling in work: threads read the old one of a panel while it is written
  Vector Kx_, Kz_;  ///< products in the making
  std::vector<Board> boards_;  ///< one of each thread
  int turn_ = 0;               ///< the iteration's place in a period
};

/// R: half of the elements, four times in three iterations.
Work work(const Point& at) {
  return {.flops = 4 * cells(at),
          .bytes_read = 2. / 3 * width(at) * cells(at),
          .working_set = .5 * width(at) * cells(at)};
}

std::string refuse(const Point& at) {
  if (at.text("data") != "self") return "K has to be its own transpose; expected data=self";
  if (at.text("reg_type") == "kl") return "times a b', K is not its own transpose; expected reg_type=entropy";
  return "";
}

const Variant<OneReadSymmetric<float>, OneReadSymmetric<double>> variant{{
    .name = "uot/one_read_symmetric",
    .summary = "K = K': three iterations in four sweeps over the upper triangle (2/3 MN elements moved)",
    .work = work,
    .refuse = refuse,
    .period = 3,
    .matrices = .5,
}};

}  // namespace
}  // namespace uotbench::uot
