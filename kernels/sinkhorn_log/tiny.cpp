// Tiny problems by the million: a lane of a vector holds one of them, and several iterations are made while
// its kernel stays in registers or in the first cache. K = exp((row's least cost - C)/reg), as in the softmax
// of a router's scores, then u and v as scalings: products, sums and divisions, no exponential. One read of K
// gives a row's sum and adds the row to the columns' sums.
//
// Scalings stay within 2^(2 D) of each other, D the range of C/reg and of the logarithms of the masses: an
// iteration never takes log u and log v further from a solution's. Vectors with an item for which that could
// leave the type's range are iterated in logarithms, by max-then-sum.
//
// Costs are read as they are and turned in registers; masses, u and v are kept a lane an item.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "harness/worker/parallel.hpp"
#include "kernels/common/fast_exp.hpp"
#include "kernels/common/fast_log.hpp"
#include "kernels/sinkhorn_log/parts/quotient.hpp"
#include "kernels/sinkhorn_log/parts/transpose.hpp"
#include "kernels/sinkhorn_log/problem.hpp"

namespace uotbench::sinkhorn_log {
namespace {

constexpr std::size_t most_lines = 32;
constexpr std::size_t at_once = 2;  ///< groups of items
constexpr std::experimental::vector_aligned_tag aligned_vectors;

/// An item a lane: the vectors of a group of items side by side.
template <class Real>
class ItemLanes {
  using Pack = std::experimental::native_simd<Real>;
  static constexpr std::size_t W = Pack::size();

 public:
  ItemLanes(std::size_t items, std::size_t size)
      : items_(items), size_(size), cells_((items + W - 1) / W * W * size) {}

  Real* group(std::size_t g) { return cells_.data() + g * size_ * W; }
  /// act(item, k, its cell): beyond the last item that one again.
  template <class Act>
  void each(Act act) {
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < cells_.size() / size_; ++b)
      for (std::size_t k = 0; k < size_; ++k)
        act(std::min(b, items_ - 1), k, cells_[(b / W * size_ + k) * W + b % W]);
  }

 private:
  std::size_t items_, size_;
  Buffer<Real> cells_;
};

template <class Real>
class Tiny {
  using Pack = std::experimental::native_simd<Real>;
  static constexpr std::size_t W = Pack::size();
  static constexpr Real none = minus_infinity<Real>, log2e = Real(std::numbers::log2e);

 public:
  static constexpr Declares declares{.restarts = true, .work = true, .facts = true};

  explicit Tiny(const Problem<Real>& problem)
      : p_(problem),
        steps_(problem.at.integer("steps")),
        groups_((problem.B + W - 1) / W),
        mu_(problem.B, problem.M),
        nu_(problem.B, problem.N),
        masses_(groups_),
        log_u_(problem.B, problem.M),
        log_v_(problem.B, problem.N) {
    mu_.each([&](std::size_t b, std::size_t i, Real& mass) { mass = p_.mu[b * p_.M + i]; });
    nu_.each([&](std::size_t b, std::size_t j, Real& mass) { mass = p_.nu[b * p_.N + j]; });
    for (std::size_t g = 0; g < groups_; ++g) {
      Real least = 1, most = 1;
      const auto look = [&](Real mass) {
        if (mass > 0) least = std::min(least, mass);
        most = std::max(most, mass);
      };
      std::for_each_n(mu_.group(g), p_.M * W, look);
      std::for_each_n(nu_.group(g), p_.N * W, look);
      masses_[g] = std::ceil(std::log2(most)) - std::floor(std::log2(least));
    }
    restart();
  }

  void restart() {
    start(log_u_, p_.log_mu, p_.log_u0, p_.M);
    start(log_v_, p_.log_nu, p_.log_v0, p_.N);
  }

  void iterate() {
    std::size_t slow = 0;
#pragma omp parallel reduction(+ : slow) if (p_.B * p_.M * p_.N >= worth_a_team)
    {
      std::array<Desk, at_once> desks{Desk(p_.M, p_.N), Desk(p_.M, p_.N)};
#pragma omp for schedule(static)
      for (std::size_t first = 0; first < groups_; first += at_once) {
        const std::size_t here = std::min(at_once, groups_ - first);
        bool fast = true;
        for (std::size_t k = 0; k < here; ++k) {
          load(first + k, desks[k]);
          fast = begin(first + k, desks[k]) && fast;
        }
        if (p_.M == 4 && p_.N == 4 && here == at_once && fast) {
          p_.symmetric ? scale_in_registers<true>(first, desks) : scale_in_registers<false>(first, desks);
        } else {
          for (std::size_t k = 0; k < here; ++k)
            desks[k].fast ? scale(first + k, desks[k]) : iterate_logs(first + k, desks[k]);
        }
        for (std::size_t k = 0; k < here; ++k) slow += !desks[k].fast;
      }
    }
    slow_ += slow;
    ++calls_;
  }

  void finish(Result<Real>& out) {
    std::vector<Real> u(p_.B * p_.M), v(p_.B * p_.N);
    log_u_.each([&](std::size_t b, std::size_t i, Real log) { u[b * p_.M + i] = log / log2e; });
    log_v_.each([&](std::size_t b, std::size_t j, Real log) { v[b * p_.N + j] = log / log2e; });
    write_result(out, p_, u.data(), v.data());
  }

  /// A call's exponentials make K and u of log u; an iteration has two multiply-adds a pair. Groups in
  /// logarithms take an exponential and 4 flops for each pair of each half step.
  Work work() const {
    const double calls = static_cast<double>(calls_), items = static_cast<double>(p_.B);
    const double cells = static_cast<double>(p_.M * p_.N), lines = static_cast<double>(p_.M + p_.N);
    const double steps = static_cast<double>(steps_), bytes = static_cast<double>(sizeof(Real));
    const double slow = static_cast<double>(slow_ * W), fast = calls * items - slow;
    const double costs = p_.own_costs ? items * cells : cells;
    return {.flops = fast * steps * (4 * cells + lines) + slow * steps * 8 * cells,
            .bytes_read = calls * bytes * (costs + 2 * items * lines),
            .bytes_written = calls * bytes * items * lines,
            .working_set = bytes * (costs + 2 * items * lines),
            .operations = {{"exp", fast * (cells + static_cast<double>(p_.M)) + slow * steps * 2 * cells}},
            .counted = true};
  }

  Facts facts() const {
    if (calls_ == 0) return {};
    const double all = static_cast<double>(groups_ * calls_);
    return {{"share_in_logarithms", static_cast<double>(slow_) / all}};
  }

 private:
  /// What a thread works with on a group of items.
  struct Desk {
    Desk(std::size_t M, std::size_t N) : exponents(M * N), kernel(M * N) {}
    std::vector<Pack> exponents, kernel;  ///< M x N
    std::array<Pack, most_lines> shifts;  ///< log2 of what the kernel's rows were multiplied by
    std::array<Pack, most_lines> u, v, sums;
    Pack range;        ///< of the exponents, in each item
    Pack less;         ///< log2 of what u was divided by and v multiplied
    bool fast = true;  ///< scalings stay in the type's range
  };

  void start(ItemLanes<Real>& to, std::span<const Real> log_mass, std::span<const Real> given,
             std::size_t size) {
    to.each([&](std::size_t b, std::size_t k, Real& log) {
      const std::size_t at = b * size + k;
      log = log_mass[at] == none ? none : given.empty() ? Real(0) : log2e * given[at];
    });
  }

  static Pack at(const Real* from, std::size_t k) { return Pack(from + k * W, aligned_vectors); }
  static void put(Real* to, std::size_t k, Pack value) { value.copy_to(to + k * W, aligned_vectors); }

  /// The group's exponents, the largest of each row 0.
  void load(std::size_t g, Desk& desk) const {
    const Real scale = -log2e / p_.reg;
    const std::size_t cells = p_.M * p_.N;
    for (std::size_t first = 0; first < cells; first += W) {
      const std::size_t here = std::min(W, cells - first);
      std::array<Pack, W> block;
      for (std::size_t k = 0; k < W; ++k) {
        const Real* const from = p_.costs_of(std::min(g * W + k, p_.B - 1)) + first;
        if (here == W) {
          block[k].copy_from(from, std::experimental::element_aligned);
        } else {
          std::array<Real, W> rest{};
          std::copy_n(from, here, rest.begin());
          block[k].copy_from(rest.data(), std::experimental::element_aligned);
        }
      }
      transpose(block);
      for (std::size_t k = 0; k < here; ++k) desk.exponents[first + k] = block[k] * scale;
    }
    Pack range = 0;
    for (std::size_t i = 0; i < p_.M; ++i) {
      Pack* const row = desk.exponents.data() + i * p_.N;
      Pack most = row[0], least = row[0];
      for (std::size_t j = 1; j < p_.N; ++j) {
        most = max(most, row[j]);
        least = min(least, row[j]);
      }
      for (std::size_t j = 0; j < p_.N; ++j) row[j] -= most;
      desk.shifts[i] = most;
      range = max(range, most - least);
    }
    desk.range = range;
  }

  /// u, at most 1, and v; false where the scalings could leave the type's range.
  bool begin(std::size_t g, Desk& desk) {
    const Real* const log_u = log_u_.group(g);
    Pack most = none, least = -none;
    for (std::size_t i = 0; i < p_.M; ++i) {
      desk.u[i] = at(log_u, i) + desk.shifts[i];
      most = max(most, desk.u[i]);
      Pack finite = desk.u[i];
      where(finite == none, finite) = -none;
      least = min(least, finite);
    }
    constexpr Real room = Real(-std::numeric_limits<Real>::min_exponent - 2 * 5);  // 5: log2 of most_lines
    const Real masses = masses_[g];
    desk.fast = all_of(2 * max(desk.range + 2 * masses, most - least) + masses < room);
    if (!desk.fast) return false;
    desk.less = most;
    for (std::size_t i = 0; i < p_.M; ++i) desk.u[i] = exp2_or_zero(desk.u[i] - most);
    if (p_.symmetric)
      for (std::size_t j = 0; j < p_.N; ++j) desk.v[j] = exp2_or_zero(at(log_v_.group(g), j) + most);
    return true;
  }

  void end(std::size_t g, const Desk& desk, const Pack* u, const Pack* v) {
    const auto logs = [](Pack scaling, Pack more) {
      Pack log = fast_log2(scaling) + more;
      where(scaling == 0, log) = none;
      return log;
    };
    for (std::size_t i = 0; i < p_.M; ++i) put(log_u_.group(g), i, logs(u[i], desk.less - desk.shifts[i]));
    for (std::size_t j = 0; j < p_.N; ++j) put(log_v_.group(g), j, logs(v[j], -desk.less));
  }

  static Pack next(Pack before, Pack mass, Pack sum, bool symmetric) {
    const Pack full = quotient(mass, sum);
    return symmetric ? sqrt(before) * sqrt(full) : full;
  }

  void scale(std::size_t g, Desk& desk) {
    const std::size_t M = p_.M, N = p_.N;
    for (std::size_t k = 0; k < M * N; ++k) desk.kernel[k] = exp2_or_zero(desk.exponents[k]);
    const Real *const mu = mu_.group(g), *const nu = nu_.group(g);
    const auto columns = [&] {
      for (std::size_t j = 0; j < N; ++j) {
        desk.v[j] = next(desk.v[j], at(nu, j), desk.sums[j], p_.symmetric);
        desk.sums[j] = 0;
      }
    };
    std::fill_n(desk.sums.begin(), N, Pack(0));
    if (!p_.symmetric)
      for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < N; ++j) desk.sums[j] += desk.kernel[i * N + j] * desk.u[i];
    for (std::int64_t step = 0; step < steps_; ++step) {
      if (!p_.symmetric) columns();
      std::size_t i = 0;
      for (; i + 4 <= M; i += 4) rows<4>(i, mu, desk);
      for (; i < M; ++i) rows<1>(i, mu, desk);
      if (p_.symmetric) columns();
    }
    end(g, desk, desk.u.data(), desk.v.data());
  }

  /// Rows i .. i+count-1: u, then their share of the columns' sums; in symmetric order that of the old u.
  template <std::size_t count>
  void rows(std::size_t i, const Real* mu, Desk& desk) const {
    const std::size_t N = p_.N;
    const Pack* const kernel = desk.kernel.data() + i * N;
    Pack sums[count] = {}, weights[count];
    for (std::size_t j = 0; j < N; ++j) {
      const Pack v = desk.v[j];
#pragma GCC unroll 4
      for (std::size_t r = 0; r < count; ++r) sums[r] += kernel[r * N + j] * v;
    }
    for (std::size_t r = 0; r < count; ++r) {
      const Pack before = desk.u[i + r];
      desk.u[i + r] = next(before, at(mu, i + r), sums[r], p_.symmetric);
      weights[r] = p_.symmetric ? before : desk.u[i + r];
    }
    for (std::size_t j = 0; j < N; ++j) {
      Pack sum = desk.sums[j];
#pragma GCC unroll 4
      for (std::size_t r = 0; r < count; ++r) sum += kernel[r * N + j] * weights[r];
      desk.sums[j] = sum;
    }
  }

  /// scale() of 4 x 4, of two groups at a time: a sum and its inverse take tens of cycles, in which the other
  /// group's are made.
  template <bool symmetric>
  void scale_in_registers(std::size_t first, std::array<Desk, at_once>& desks) {
    constexpr std::size_t n = 4, G = at_once;
    Pack K[n][n][G], u[n][G], v[n][G];
    for (std::size_t g = 0; g < G; ++g)
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) K[i][j][g] = exp2_or_zero(desks[g].exponents[i * n + j]);
        u[i][g] = desks[g].u[i];
        v[i][g] = desks[g].v[i];
      }
    const Real* const mu = mu_.group(first);  // a group's rows follow another's
    const Real* const nu = nu_.group(first);
    for (std::int64_t step = 0; step < steps_; ++step) {
      Pack old[n][G];
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t g = 0; g < G; ++g) {
          old[j][g] = v[j][g];
          v[j][g] = next(
              v[j][g], at(nu, g * n + j),
              (K[0][j][g] * u[0][g] + K[1][j][g] * u[1][g]) + (K[2][j][g] * u[2][g] + K[3][j][g] * u[3][g]),
              symmetric);
        }
      const auto& w = symmetric ? old : v;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t g = 0; g < G; ++g)
          u[i][g] = next(
              u[i][g], at(mu, g * n + i),
              (K[i][0][g] * w[0][g] + K[i][1][g] * w[1][g]) + (K[i][2][g] * w[2][g] + K[i][3][g] * w[3][g]),
              symmetric);
    }
    for (std::size_t g = 0; g < G; ++g) {
      for (std::size_t k = 0; k < n; ++k) {
        desks[g].u[k] = u[k][g];
        desks[g].v[k] = v[k][g];
      }
      end(first + g, desks[g], desks[g].u.data(), desks[g].v.data());
    }
  }

  /// On log2 u and log2 v.
  void iterate_logs(std::size_t g, Desk& desk) {
    Real *const log_u = log_u_.group(g), *const log_v = log_v_.group(g);
    const std::size_t M = p_.M, N = p_.N;
    for (std::int64_t step = 0; step < steps_; ++step) {
      for (std::size_t j = 0; j < N; ++j) desk.v[j] = at(log_v, j);
      for (std::size_t j = 0; j < N; ++j)
        put(log_v, j, next_log(desk.v[j], at(nu_.group(g), j), M, [&](std::size_t i) {
              return desk.exponents[i * N + j] + (at(log_u, i) + desk.shifts[i]);
            }));
      if (!p_.symmetric)
        for (std::size_t j = 0; j < N; ++j) desk.v[j] = at(log_v, j);
      for (std::size_t i = 0; i < M; ++i)
        put(log_u, i, next_log(at(log_u, i), at(mu_.group(g), i), N, [&](std::size_t j) {
              return desk.exponents[i * N + j] + (desk.v[j] + desk.shifts[i]);
            }));
    }
  }
  template <class Term>
  Pack next_log(Pack before, Pack mass, std::size_t count, Term term) const {
    Pack most = none, sum = 0;
    for (std::size_t k = 0; k < count; ++k) most = max(most, term(k));
    for (std::size_t k = 0; k < count; ++k) sum += exp2_or_zero(term(k) - most);
    Pack log = fast_log2(mass) - (most + fast_log2(sum));
    if (p_.symmetric) log = (before + log) / 2;
    where(mass == 0, log) = none;
    return log;
  }

  const Problem<Real>& p_;
  std::int64_t steps_;
  std::size_t groups_;
  ItemLanes<Real> mu_, nu_;
  std::vector<Real> masses_;       ///< of a group: log2 of the largest over the smallest that is not 0
  ItemLanes<Real> log_u_, log_v_;  ///< in base 2
  std::size_t slow_ = 0, calls_ = 0;
};

double elements(const Point& at) {
  return 2 * at.number("B") * (at.number("M") + at.number("N")) +
         at.number("threads") * 32 * at.number("M") * at.number("N");
}

std::string refuse(const Point& at) {
  if (at.number("M") <= most_lines && at.number("N") <= most_lines) return "";
  return "sinkhorn_log/tiny keeps matrices in registers and the first cache: M and N must be at most 32";
}

const Variant<Tiny<float>, Tiny<double>> variant{
    {
        .name = "sinkhorn_log/tiny",
        .summary =
            "an item a lane: K in registers for several iterations of scalings (M(N + 1) exponentials)",
        .axes =
            {{.name = "steps", .standard = 20, .least = 1, .most = 1000, .about = "iterations of a call"}},
        .refuse = refuse,
        .steps = [](const Point& at) { return at.integer("steps"); },
    },
    elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
