// K = K': the upper triangle is enough, and two sweeps over it take three half steps. With x known (u or v) a
// sweep down the rows finds K x one entry after the other: what rows above contribute to entry i was added
// when they were read, the rest is in row i. So z_i, the other scaling's entry, is known at row i, and what
// row i contributes to K z below it is added at once. A sweep up adds what is missing, again entry after
// entry: x'_i is known at row i, so that the same sweep collects all of K x', and z' needs no sweep at all.
//   iteration 1  down: u, up: v and K v;  iteration 2  u of that K v, down: v;  iteration 3  up: u, then v
// Three iterations in four sweeps over half the matrix: 2/3 MN elements an iteration. Rows go by panels,
// whose entries wait for nothing but the panel before; threads share a panel's columns.
#include <experimental/simd>

#include "kernels/uot/scalings.hpp"
#include "kernels/uot/upper_panels.hpp"

namespace uotbench::uot {
namespace {

namespace simd = std::experimental;

template <class Real>
class OneReadSymmetric {
  using Pack = simd::native_simd<Real>;
  using Panels = UpperPanels<Real>;
  using Tile = typename Panels::Tile;
  using Vector = std::vector<Real>;
  static constexpr std::size_t height = Panels::height;
  static constexpr int R = 4;  ///< rows that share a load of a vector

  /// One thread's part of the dots of a panel's rows with two vectors. The panels take turns with two of
  /// them, so that one barrier a panel is enough.
  struct alignas(2 * cache_line) Dots {
    Pack one[height], other[height];
  };

 public:
  explicit OneReadSymmetric(const Problem<Real>& problem)
      : p_(problem),
        K_(problem),
        scalings_(problem),
        next_(K_.side()),
        Kx_(K_.side()),
        Kz_(K_.side()),
        dots_(static_cast<std::size_t>(2 * problem.team.threads())) {
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
#pragma omp parallel
    {
      clear_mine(Kx_);
      clear_mine(Kz_);
      Real factors[height] = {};
      for (std::size_t p = 0; p < K_.panels(); ++p) {
        Dots& dots = my_dots(p);
        dots = {};
        const std::size_t i = p * height, below = i + height;
        each_tile(p, p - 1, p > 0, factors, Kz_, [&](const Tile& tile) {
          const std::size_t first = std::max(tile.first, below), last = tile.first + tile.columns;
          if (tile.first == i) dot(tile, i, below, x, dots.one);
          dot_and_add(tile, first, last, x, dots.one, &x[i], Kx_);
        });
#pragma omp barrier
        for (std::size_t r = 0; r < height; ++r)
          factors[r] = step(z[i + r], mass, i + r, Kx_[i + r] + total(p, r, &Dots::one));
        if (Panels::diagonal_is_mine(p)) std::copy_n(factors, height, &next_[i]);
      }
      add_last(K_.panels() - 1, factors, Kz_);
    }
    std::swap(z, next_);
  }

  /// The rest of K z in Kz_, x of it, and all of K x in Kx_.
  void up(const Vector& z, Vector& x, std::span<const Real> mass) {
#pragma omp parallel
    {
      clear_mine(Kx_);
      Real factors[height] = {};
      for (std::size_t p = K_.panels(); p-- > 0;) {
        Dots& dots = my_dots(p);
        dots = {};
        const std::size_t i = p * height, below = i + height;
        each_tile(p, p + 1, p + 1 < K_.panels(), factors, Kx_, [&](const Tile& tile) {
          const std::size_t first = std::max(tile.first, below), last = tile.first + tile.columns;
          dot_two(tile, first, last, z, dots.one, next_, dots.other);
        });
#pragma omp barrier
        for (std::size_t r = 0; r < height; ++r)
          factors[r] = step(x[i + r], mass, i + r, Kz_[i + r] + total(p, r, &Dots::one));
        if (!Panels::diagonal_is_mine(p)) continue;
        std::copy_n(factors, height, &next_[i]);
        for (std::size_t r = 0; r < height; ++r) Kx_[i + r] += total(p, r, &Dots::other);
      }
      add_last(0, factors, Kx_);
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

  /// Calls look(tile) for the calling thread's tiles of panel p, after adding those of panel `last`, which
  /// lie beside them and are still in cache, times `factors`.
  template <class Look>
  void each_tile(std::size_t p, std::size_t last, bool has_last, const Real* factors, Vector& sums,
                 Look look) const {
    if (has_last) add_last(last, factors, sums);
    K_.for_my_tiles(p, look);
  }
  void add_last(std::size_t panel, const Real* factors, Vector& sums) const {
    K_.for_my_tiles(panel, [&](const Tile& tile) { add(tile, factors, sums); });
  }

  static void dot(const Tile& tile, std::size_t first, std::size_t last, const Vector& x, Pack* dots) {
    for (std::size_t r = 0; r < height; ++r)
      for (std::size_t j = first; j < last; j += Pack::size()) dots[r] += pack(tile.at(r, j)) * pack(&x[j]);
  }

  /// Also adds the rows, times `factors`, to `sums`.
  static void dot_and_add(const Tile& tile, std::size_t first, std::size_t last, const Vector& x, Pack* dots,
                          const Real* factors, Vector& sums) {
    for (std::size_t row = 0; row < height; row += R) {
      Pack sum_of[R];
      std::copy_n(dots + row, R, sum_of);
      for (std::size_t j = first; j < last; j += Pack::size()) {
        const Pack at_j = pack(&x[j]);
        Pack sum = pack(&sums[j]);
        for (int r = 0; r < R; ++r) {
          const Pack cell = pack(tile.at(row + r, j));
          sum_of[r] += cell * at_j;
          sum += cell * factors[row + r];
        }
        sum.copy_to(&sums[j], simd::element_aligned);
      }
      std::copy_n(sum_of, R, dots + row);
    }
  }

  static void dot_two(const Tile& tile, std::size_t first, std::size_t last, const Vector& x, Pack* x_dots,
                      const Vector& z, Pack* z_dots) {
    for (std::size_t row = 0; row < height; row += R) {
      Pack x_sum[R], z_sum[R];
      std::copy_n(x_dots + row, R, x_sum);
      std::copy_n(z_dots + row, R, z_sum);
      for (std::size_t j = first; j < last; j += Pack::size()) {
        const Pack x_at_j = pack(&x[j]), z_at_j = pack(&z[j]);
        for (int r = 0; r < R; ++r) {
          const Pack cell = pack(tile.at(row + r, j));
          x_sum[r] += cell * x_at_j;
          z_sum[r] += cell * z_at_j;
        }
      }
      std::copy_n(x_sum, R, x_dots + row);
      std::copy_n(z_sum, R, z_dots + row);
    }
  }

  static void add(const Tile& tile, const Real* factors, Vector& sums) {
    for (std::size_t row = 0; row < height; row += R)
      for (std::size_t j = tile.first; j < tile.first + tile.columns; j += Pack::size()) {
        Pack sum = pack(&sums[j]);
        for (int r = 0; r < R; ++r) sum += pack(tile.at(row + r, j)) * factors[row + r];
        sum.copy_to(&sums[j], simd::element_aligned);
      }
  }

  static Pack pack(const Real* at) { return Pack(at, simd::element_aligned); }

  void clear_mine(Vector& vector) const {
    K_.for_my_tiles(0, [&](const Tile& tile) { std::fill_n(&vector[tile.first], tile.columns, Real(0)); });
  }

  Dots& my_dots(std::size_t panel) {
    return dots_[2 * static_cast<std::size_t>(omp_get_thread_num()) + panel % 2];
  }
  Real total(std::size_t panel, std::size_t r, Pack (Dots::*which)[height]) const {
    Real sum = 0;
    for (std::size_t d = panel % 2; d < dots_.size(); d += 2) sum += simd::reduce((dots_[d].*which)[r]);
    return sum;
  }

  const Problem<Real>& p_;
  UpperPanels<Real> K_;
  Scalings<Real> scalings_;
  Vector next_;     ///< of the scaling in work: threads read the old one of a panel while it is written
  Vector Kx_, Kz_;  ///< products in the making
  std::vector<Dots> dots_;  ///< two of each thread
  int turn_ = 0;            ///< the iteration's place in a period
};

/// R: half of the elements, four times in three iterations.
Work work(const Point& at) {
  return {.flops = 4 * cells(at),
          .bytes_read = 2. / 3 * width(at) * cells(at),
          .working_set = .5 * width(at) * cells(at)};
}

std::string refuse(const Point& at) {
  if (at.text("data") != "self") return "K has to be its own transpose: data=self would be right";
  if (at.text("reg_type") == "kl")
    return "times a b', K is not its own transpose: reg_type=entropy would be right";
  return "";
}

const Variant<OneReadSymmetric<float>, OneReadSymmetric<double>> variant{
    {
        .name = "uot/one_read_symmetric",
        .summary = "K = K': three iterations in four sweeps over the upper triangle (2/3 MN elements moved)",
        .work = work,
        .refuse = refuse,
        .period = 3,
    },
    .5};

}  // namespace
}  // namespace uotbench::uot
