// C is never stored: squared distances are computed again from the points where they are needed, in memory
// for B(M + N) numbers. Points are scaled once by sqrt(cost_scale log2(e) / reg).
//
// In up to 3 dimensions that is (x - y)^2, which keeps the digits of small distances. From 4 on it is
// 2<x, y> - |y|^2, with |x|^2 taken off log u beforehand, so that a pair costs a multiply-add a dimension;
// the points are centred, which leaves less to cancel. Batches share each distance.
//
// No pass for the maximum: log u_i moved by at most d since the sums L_j of the iteration before, so no term
// exceeds L_j + d, and the sum is at least that less the spread of the moves. Where the spread is more than
// the type's range, as in the first iteration, the maximum is taken first.
#include <array>
#include <cmath>
#include <numbers>

#include "harness/worker/parallel.hpp"
#include "kernels/common/fast_exp.hpp"
#include "kernels/common/fast_log.hpp"
#include "kernels/sinkhorn_log/parts/potentials.hpp"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
using Pack = std::experimental::native_simd<Real>;
constexpr std::experimental::element_aligned_tag anywhere;

constexpr std::size_t R = 8;  ///< sums in work at a time: as many share each load of a point
constexpr std::size_t few_dimensions = 3;
constexpr std::size_t tile = 512;  ///< distances of R points that stay in the first cache for the batch
constexpr std::size_t run = 2048;  ///< terms that are added one by one: more lose digits

/// To whole vectors and groups.
constexpr std::size_t padded(std::size_t count) { return (count + 15) / 16 * 16; }

/// Points by coordinate, scaled; those that pad count nothing, for their fields are -inf.
template <class Real>
struct Cloud {
  Cloud(std::span<const Real> points, std::size_t d, double scale, const std::vector<double>& centre)
      : count(points.size() / d), size(padded(count)), coordinates(d * size), squares(size) {
    for (std::size_t k = 0; k < size; ++k) {
      double square = 0;
      for (std::size_t c = 0; c < d; ++c) {
        const double x = k < count ? scale * (static_cast<double>(points[k * d + c]) - centre[c]) : 0;
        const auto rounded = static_cast<Real>(x);
        coordinates[c * size + k] = rounded;
        square += static_cast<double>(rounded) * static_cast<double>(rounded);
      }
      squares[k] = static_cast<Real>(square);
    }
  }
  const Real* along(std::size_t c) const { return coordinates.data() + c * size; }

  std::size_t count, size;
  std::vector<Real> coordinates, squares;
};

/// What a half step keeps from one iteration to the next, in base 2.
template <class Real>
struct Sums {
  Sums(std::size_t B, std::size_t from, std::size_t to)
      : fields(B * from), before(B * from), logs(B * to), base(B * to), sums(B * to), rise(B), spread(B) {}

  std::vector<Real> fields, before;  ///< of the points that are summed over; and an iteration ago
  std::vector<Real> logs;            ///< the logsumexp of the last iteration
  std::vector<Real> base, sums;      ///< which is base + log2 sum
  std::vector<Real> rise, spread;    ///< an item's largest move of a field, and that less the smallest
  bool known = false;                ///< there was an iteration
};

template <class Real>
class Points {
  using P = Pack<Real>;
  static constexpr std::size_t W = P::size();
  static constexpr Real none = minus_infinity<Real>;
  /// Exponentials made at a time. 79% of the rate of ceiling/exp with 8 and 32 registers, 74% with 4; 80%
  /// with 2 and 16 registers, 76% with 4.
  static constexpr std::size_t in_step = sizeof(P) == 64 ? 8 : 2;

 public:
  static constexpr Declares declares{.restarts = true, .facts = true};

  explicit Points(const Problem<Real>& problem)
      : p_(problem),
        x_(p_.X, p_.d, scale(), centre()),
        y_(p_.Y, p_.d, scale(), centre()),
        potentials_(problem),
        for_v_(p_.B, x_.size, y_.size),
        for_u_(p_.B, y_.size, x_.size) {}

  void restart() {
    potentials_.restart();
    for_v_.known = for_u_.known = false;
  }

  void iterate() {
    potentials_.remember();
    step(y_, x_, for_v_, potentials_.log_u.data(), p_.log_nu.data(), potentials_.log_v.data());
    step(x_, y_, for_u_, potentials_.v_for_u(), p_.log_mu.data(), potentials_.log_u.data());
  }

  Change change() const { return potentials_.change(); }
  void finish(Result<Real>& out) {
    write_result(out, p_, potentials_.log_u.data(), potentials_.log_v.data());
  }
  /// Of those since the start.
  Facts facts() const {
    if (sums_ == 0) return {};
    return {{"sums_by_maximum", static_cast<double>(by_maximum_) / static_cast<double>(sums_)}};
  }

 private:
  double scale() const {
    return std::sqrt(std::numbers::log2e * static_cast<double>(p_.cost_scale) / static_cast<double>(p_.reg));
  }
  std::vector<double> centre() const {
    std::vector<double> sum(p_.d);
    for (const auto points : {p_.X, p_.Y})
      for (std::size_t k = 0; k < points.size(); ++k)
        sum[k % p_.d] += static_cast<double>(points[k]) / static_cast<double>(p_.M + p_.N);
    return sum;
  }
  bool few() const { return p_.d <= few_dimensions; }

  /// log_to from log_from: all points of `to` against all of `from`.
  void step(const Cloud<Real>& to, const Cloud<Real>& from, Sums<Real>& s, const Real* log_from,
            const Real* log_mass, Real* log_to) {
    std::size_t by_maximum = 0;
#pragma omp parallel reduction(+ : by_maximum) if (p_.B * to.count * from.count >= worth_a_team)
    {
#pragma omp for schedule(static)
      for (std::size_t b = 0; b < p_.B; ++b) prepare(b, from, s, log_from + b * from.count);
      std::vector<std::array<P, R>> totals(p_.B);
      std::vector<Real> distances(R * tile);
#pragma omp for schedule(static)
      for (std::size_t j = 0; j < to.size; j += R) {
        if (j >= to.count) continue;
        by_maximum += choose_bases(j, to, from, s, totals, distances.data());
        add_up<false>(j, to, from, s, totals, distances.data());
        for (std::size_t b = 0; b < p_.B; ++b)
          for (std::size_t r = 0; r < R; ++r) s.sums[b * to.size + j + r] = reduce(totals[b][r]);
      }
#pragma omp for collapse(2) schedule(static)
      for (std::size_t b = 0; b < p_.B; ++b)
        for (std::size_t j = 0; j < to.size; j += W) {
          const std::size_t at = b * to.size + j;
          const P log = P(&s.base[at], anywhere) + fast_log2(P(&s.sums[at], anywhere));
          log.copy_to(&s.logs[at], anywhere);
          for (std::size_t k = 0; k < std::min(W, to.count - std::min(j, to.count)); ++k) {
            const std::size_t cell = b * to.count + j + k;
            log_to[cell] = next_potential(log_to[cell], log_mass[cell],
                                          Real(std::numbers::ln2) * s.logs[at + k], p_.symmetric);
          }
        }
    }
    s.known = true;
    by_maximum_ += by_maximum;
    sums_ += p_.B * to.count;
  }

  void prepare(std::size_t b, const Cloud<Real>& from, Sums<Real>& s, const Real* logs) {
    Real* const fields = &s.fields[b * from.size];
    Real* const before = &s.before[b * from.size];
    Real up = none, down = -none;
    for (std::size_t i = 0; i < from.size; ++i) {
      Real field = i < from.count ? Real(std::numbers::log2e) * logs[i] : none;
      if (!few()) field -= from.squares[i];
      fields[i] = field;
      const Real moved = field - before[i];
      if (field > none) {
        up = std::max(up, moved);
        down = std::min(down, moved);
      }
      before[i] = field;
    }
    s.rise[b] = up;
    s.spread[b] = up - down;
  }

  /// For the sums j .. j+R-1 of each item: one base for all, where that leaves their sums in range, else each
  /// its own. Returns how many took the maximum first.
  std::size_t choose_bases(std::size_t j, const Cloud<Real>& to, const Cloud<Real>& from, Sums<Real>& s,
                           std::vector<std::array<P, R>>& totals, Real* distances) const {
    // Terms below 2^(min_exponent - 1) are 0. What is left of the sum does not notice.
    const Real range =
        Real(-std::numeric_limits<Real>::min_exponent - std::numeric_limits<Real>::digits - 2) -
        std::ceil(std::log2(static_cast<Real>(from.count)));
    bool all_known = s.known;
    for (std::size_t b = 0; b < p_.B && all_known; ++b) all_known = s.spread[b] < range;
    if (!all_known) add_up<true>(j, to, from, s, totals, distances);
    for (std::size_t b = 0; b < p_.B; ++b) {
      Real* const base = &s.base[b * to.size + j];
      for (std::size_t r = 0; r < R; ++r)
        base[r] = all_known ? s.logs[b * to.size + j + r] + s.rise[b] : hmax(totals[b][r]);
      const auto [least, most] = std::minmax_element(base, base + R);
      if (all_known && s.spread[b] + *most - *least < range) std::fill_n(base, R, *most);
    }
    return all_known ? 0 : p_.B * std::min(R, to.count - j);
  }

  /// totals[b][r]: lanes whose sum is sum_i 2^(exponent - base) for the point j + r; or whose maximum is that
  /// of the exponents.
  template <bool maximum>
  void add_up(std::size_t j, const Cloud<Real>& to, const Cloud<Real>& from, const Sums<Real>& s,
              std::vector<std::array<P, R>>& totals, Real* distances) const {
    for (auto& item : totals) item.fill(maximum ? P(none) : P(0));
    const auto batch = [&](auto D) {
      for (std::size_t i = 0; i < from.size; i += tile) {
        const std::size_t end = std::min(from.size, i + tile);
        if constexpr (D() > 0)
          measure<D()>(j, to, from, i, end, distances);
        else
          multiply(j, to, from, i, end, distances);
        for (std::size_t b = 0; b < p_.B; ++b)
          with_bases<maximum>(&s.base[b * to.size + j], [&](auto own) {
            add_stored<own(), maximum>(&s.base[b * to.size + j], &s.fields[b * from.size], i, end, distances,
                                       totals[b]);
          });
      }
    };
    const auto alone = [&](auto D) {
      if (p_.B > 1) return batch(D);
      for (std::size_t i = 0; i < from.size; i += run)
        with_bases<maximum>(&s.base[j], [&](auto own) {
          add_computed<D(), own(), maximum>(j, to, from, i, std::min(from.size, i + run), &s.base[j],
                                            s.fields.data(), totals[0]);
        });
    };
    switch (p_.d) {
      case 1:
        return alone(std::integral_constant<int, 1>());
      case 2:
        return alone(std::integral_constant<int, 2>());
      case 3:
        return alone(std::integral_constant<int, 3>());
      default:
        return batch(std::integral_constant<int, 0>());
    }
  }

  /// Calls act(true) where the R sums have bases of their own.
  template <bool maximum, class Act>
  static void with_bases(const Real* base, Act act) {
    if (!maximum && std::any_of(base, base + R, [&](Real each) { return each != *base; }))
      act(std::true_type());
    else
      act(std::false_type());
  }

  /// sums[r] with a term each, made by term(r); exponentials of a few at a time hide how long one takes.
  template <bool maximum, class Term>
  [[gnu::always_inline]] static void add(P (&sums)[R], Term term) {
#pragma GCC unroll 4
    for (std::size_t first = 0; first < R; first += in_step) {
      P terms[in_step];
#pragma GCC unroll 8
      for (std::size_t k = 0; k < in_step; ++k) terms[k] = term(first + k);
      if constexpr (!maximum) exp2_or_zero_of(terms);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < in_step; ++k)
        sums[first + k] = maximum ? max(sums[first + k], terms[k]) : sums[first + k] + terms[k];
    }
  }

  template <int D, bool own, bool maximum>
  void add_computed(std::size_t j, const Cloud<Real>& to, const Cloud<Real>& from, std::size_t first,
                    std::size_t last, const Real* base, const Real* fields, std::array<P, R>& totals) const {
    P y[R][D], sums[R], bases[R];
    for (std::size_t r = 0; r < R; ++r) {
      for (int c = 0; c < D; ++c) y[r][c] = to.along(static_cast<std::size_t>(c))[j + r];
      sums[r] = maximum ? P(none) : P(0);
      bases[r] = base[r];
    }
    const P common = own || maximum ? P(0) : P(base[0]);
    for (std::size_t i = first; i < last; i += W) {
      P x[D];
      for (int c = 0; c < D; ++c) x[c].copy_from(from.along(static_cast<std::size_t>(c)) + i, anywhere);
      const P field = P(fields + i, anywhere) - common;
      add<maximum>(sums, [&](std::size_t r) {
        P term = field;
        for (int c = 0; c < D; ++c) {
          const P apart = x[c] - y[r][c];
          term -= apart * apart;
        }
        return own ? term - bases[r] : term;
      });
    }
    for (std::size_t r = 0; r < R; ++r) totals[r] = maximum ? max(totals[r], sums[r]) : totals[r] + sums[r];
  }

  template <bool own, bool maximum>
  static void add_stored(const Real* base, const Real* fields, std::size_t first, std::size_t last,
                         const Real* distances, std::array<P, R>& totals) {
    P sums[R], bases[R];
    for (std::size_t r = 0; r < R; ++r) {
      sums[r] = maximum ? P(none) : P(0);
      bases[r] = base[r];
    }
    const P common = own || maximum ? P(0) : P(base[0]);
    for (std::size_t i = first; i < last; i += W) {
      const P field = P(fields + i, anywhere) - common;
      const Real* const here = distances + (i - first) * R;
      add<maximum>(sums, [&](std::size_t r) {
        const P term = field + P(here + r * W, anywhere);
        return own ? term - bases[r] : term;
      });
    }
    for (std::size_t r = 0; r < R; ++r) totals[r] = maximum ? max(totals[r], sums[r]) : totals[r] + sums[r];
  }

  /// Minus the squared distances of the points j .. j+R-1 from first .. last-1, R vectors after R vectors.
  template <int D>
  void measure(std::size_t j, const Cloud<Real>& to, const Cloud<Real>& from, std::size_t first,
               std::size_t last, Real* distances) const {
    for (std::size_t i = first; i < last; i += W)
      for (std::size_t r = 0; r < R; ++r) {
        P square = 0;
        for (std::size_t c = 0; c < D; ++c) {
          const P apart = P(from.along(c) + i, anywhere) - to.along(c)[j + r];
          square -= apart * apart;
        }
        square.copy_to(distances + (i - first) * R + r * W, anywhere);
      }
  }

  /// 2<x, y> - |y|^2 likewise.
  void multiply(std::size_t j, const Cloud<Real>& to, const Cloud<Real>& from, std::size_t first,
                std::size_t last, Real* distances) const {
    constexpr std::size_t V = sizeof(P) == 64 ? 2 : 1;  // vectors: 16 of 32 registers, 8 of 16
    for (std::size_t i = first; i < last; i += V * W) {
      P sums[R][V] = {};
      const std::size_t here = std::min(V, (last - i) / W);
      if (here == V)
        add_products<V>(j, i, to, from, sums);
      else
        add_products<1>(j, i, to, from, sums);
      for (std::size_t v = 0; v < here; ++v)
        for (std::size_t r = 0; r < R; ++r)
          (2 * sums[r][v] - to.squares[j + r]).copy_to(distances + (i + v * W - first) * R + r * W, anywhere);
    }
  }
  template <std::size_t vectors, std::size_t V>
  void add_products(std::size_t j, std::size_t i, const Cloud<Real>& to, const Cloud<Real>& from,
                    P (&sums)[R][V]) const {
    for (std::size_t c = 0; c < p_.d; ++c) {
      P x[vectors];
#pragma GCC unroll 2
      for (std::size_t v = 0; v < vectors; ++v) x[v].copy_from(from.along(c) + i + v * W, anywhere);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < vectors; ++v) sums[r][v] += P(to.along(c)[j + r]) * x[v];
    }
  }

  const Problem<Real>& p_;
  Cloud<Real> x_, y_;
  Potentials<Real> potentials_;
  Sums<Real> for_v_, for_u_;
  std::size_t by_maximum_ = 0, sums_ = 0;
};

double dimensions(const Point& at) {
  return at.text("cost") == "points" ? at.number("d") : at.text("cost") == "grid2d" ? 2 : 1;
}

/// A pair's exponential, its sum and, of B items once, its distance.
Work work(const Point& at) {
  const double d = dimensions(at), lines = at.number("M") + at.number("N");
  const double distance = d <= few_dimensions ? 3 * d : 2 * d + 2;
  Work work = exp_work(at, 1, 2 + distance / at.number("B"), 0);
  work.bytes_read += d * lines * width(at);
  work.working_set = (d + 4 * at.number("B")) * lines * width(at);
  return work;
}

double elements(const Point& at) {
  return (dimensions(at) + 1 + 4 * at.number("B")) * (at.number("M") + at.number("N"));
}

std::string refuse(const Point& at) {
  const std::string cost = at.text("cost");
  if (cost == "points" || cost == "grid1d" || cost == "grid2d") return "";
  return "sinkhorn_log/points makes C from points: cost must be points, grid1d or grid2d, not " + cost;
}

const Variant<Points<float>, Points<double>> variant{
    {
        .name = "sinkhorn_log/points",
        .summary = "squared distances computed from points, no pass for the maximum, C never stored",
        .work = work,
        .refuse = refuse,
        .matrices = 0,
    },
    elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
