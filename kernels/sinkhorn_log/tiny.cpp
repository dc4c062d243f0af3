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
#include "harness/worker/parallel.hpp"
#include "kernels/sinkhorn_log/timed/quotient.hpp"
#include "kernels/sinkhorn_log/timed/tiny_workspace.hpp"

namespace uotbench::sinkhorn_log {
namespace {

constexpr std::size_t at_once = 2;  ///< groups of items

template <class Real>
class Tiny {
  using Pack = std::experimental::native_simd<Real>;
  using Workspace = TinyWorkspace<Real>;
  static constexpr std::size_t W = Pack::size();
  static constexpr Real none = minus_infinity<Real>, log2e = Real(std::numbers::log2e);

 public:
  static constexpr KernelTraits declares{.restarts = true, .work = true, .facts = true};

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
      std::array<Workspace, at_once> workspaces{Workspace(p_.M, p_.N), Workspace(p_.M, p_.N)};
#pragma omp for schedule(static)
      for (std::size_t first = 0; first < groups_; first += at_once) {
        const std::size_t here = std::min(at_once, groups_ - first);
        bool fast = true;
        for (std::size_t k = 0; k < here; ++k) {
          workspaces[k].load(p_, first + k);
          fast = begin(first + k, workspaces[k]) && fast;
        }
        if (p_.M == 4 && p_.N == 4 && here == at_once && fast) {
          p_.symmetric ? scale_fours<true>(first, workspaces) : scale_fours<false>(first, workspaces);
        } else {
          for (std::size_t k = 0; k < here; ++k)
            workspaces[k].fast ? scale(first + k, workspaces[k]) : iterate_logs(first + k, workspaces[k]);
        }
        for (std::size_t k = 0; k < here; ++k) slow += !workspaces[k].fast;
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
  void start(TinyLanes<Real>& to, std::span<const Real> log_mass, std::span<const Real> given,
             std::size_t size) {
    to.each([&](std::size_t b, std::size_t k, Real& log) {
      const std::size_t at = b * size + k;
      log = log_mass[at] == none ? none : given.empty() ? Real(0) : log2e * given[at];
    });
  }

  static Pack at(const Real* from, std::size_t k) { return lanes_at(from, k); }

  bool begin(std::size_t g, Workspace& workspace) {
    return workspace.begin(log_u_.group(g), p_.symmetric ? log_v_.group(g) : nullptr, masses_[g]);
  }

  static Pack next(Pack before, Pack mass, Pack sum, bool symmetric) {
    const Pack full = quotient(mass, sum);
    return symmetric ? sqrt(before) * sqrt(full) : full;
  }

  void scale(std::size_t g, Workspace& workspace) {
    const std::size_t M = p_.M, N = p_.N;
    for (std::size_t k = 0; k < M * N; ++k) workspace.kernel[k] = exp2_or_zero(workspace.exponents[k]);
    const Real *const mu = mu_.group(g), *const nu = nu_.group(g);
    const auto columns = [&] {
      for (std::size_t j = 0; j < N; ++j) {
        workspace.v[j] = next(workspace.v[j], at(nu, j), workspace.sums[j], p_.symmetric);
        workspace.sums[j] = 0;
      }
    };
    std::fill_n(workspace.sums.begin(), N, Pack(0));
    if (!p_.symmetric)
      for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < N; ++j) workspace.sums[j] += workspace.kernel[i * N + j] * workspace.u[i];
    for (std::int64_t step = 0; step < steps_; ++step) {
      if (!p_.symmetric) columns();
      std::size_t i = 0;
      for (; i + 4 <= M; i += 4) rows<4>(i, mu, workspace);
      for (; i < M; ++i) rows<1>(i, mu, workspace);
      if (p_.symmetric) columns();
    }
    workspace.end(workspace.u.data(), workspace.v.data(), log_u_.group(g), log_v_.group(g));
  }

  /// Rows i .. i+count-1: u, then their share of the columns' sums; in symmetric order that of the old u.
  template <std::size_t count>
  void rows(std::size_t i, const Real* mu, Workspace& workspace) const {
    const std::size_t N = p_.N;
    const Pack* const kernel = workspace.kernel.data() + i * N;
    Pack sums[count] = {}, weights[count];
    for (std::size_t j = 0; j < N; ++j) {
      const Pack v = workspace.v[j];
#pragma GCC unroll 4
      for (std::size_t r = 0; r < count; ++r) sums[r] += kernel[r * N + j] * v;
    }
    for (std::size_t r = 0; r < count; ++r) {
      const Pack before = workspace.u[i + r];
      workspace.u[i + r] = next(before, at(mu, i + r), sums[r], p_.symmetric);
      weights[r] = p_.symmetric ? before : workspace.u[i + r];
    }
    for (std::size_t j = 0; j < N; ++j) {
      Pack sum = workspace.sums[j];
#pragma GCC unroll 4
      for (std::size_t r = 0; r < count; ++r) sum += kernel[r * N + j] * weights[r];
      workspace.sums[j] = sum;
    }
  }

  /// scale() of 4 x 4, of two groups at a time: a sum and its inverse take tens of cycles, in which the other
  /// group's are made. It is on a = u / mu and b = v / nu, with a kernel for each half step, K nu for a and
  /// K mu for b, so that an inverse is multiplied by nothing.
  template <bool symmetric>
  void scale_fours(std::size_t first, std::array<Workspace, at_once>& workspaces) {
    constexpr std::size_t n = 4, G = at_once;
    Pack for_a[n][n][G], for_b[n][n][G], a[n][G], b[n][G];
    for (std::size_t g = 0; g < G; ++g) {
      const Real *const mu = mu_.group(first + g), *const nu = nu_.group(first + g);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const Pack K = exp2_or_zero(workspaces[g].exponents[i * n + j]);
          for_a[i][j][g] = K * at(nu, j);
          for_b[j][i][g] = K * at(mu, i);
        }
        a[i][g] = share(workspaces[g].u[i], at(mu, i));
        b[i][g] = symmetric ? share(workspaces[g].v[i], at(nu, i)) : Pack(0);
      }
    }
    for (std::int64_t step = 0; step < steps_; ++step) {
      Pack old[n][G];
      for (std::size_t g = 0; g < G; ++g)
        for (std::size_t j = 0; j < n; ++j) old[j][g] = b[j][g];
      invert_sums<symmetric>(for_b, a, b);
      invert_sums<symmetric>(for_a, symmetric ? old : b, a);
    }
    for (std::size_t g = 0; g < G; ++g) {
      for (std::size_t k = 0; k < n; ++k) {
        workspaces[g].u[k] = a[k][g] * at(mu_.group(first + g), k);
        workspaces[g].v[k] = b[k][g] * at(nu_.group(first + g), k);
      }
      workspaces[g].end(workspaces[g].u.data(), workspaces[g].v.data(), log_u_.group(first + g),
                        log_v_.group(first + g));
    }
  }

  /// A line without mass has none of the other side's sums either.
  static Pack share(Pack scaling, Pack mass) {
    Pack part = quotient(scaling, mass);
    where(mass == 0, part) = 0;
    return part;
  }

  template <bool symmetric, std::size_t n, std::size_t G>
  [[gnu::always_inline]] static void invert_sums(const Pack (&kernel)[n][n][G], const Pack (&from)[n][G],
                                                 Pack (&to)[n][G]) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < n; ++k)
#pragma GCC unroll 4
      for (std::size_t g = 0; g < G; ++g) {
        Pack sum = kernel[k][0][g] * from[0][g];
#pragma GCC unroll 4
        for (std::size_t l = 1; l < n; ++l) sum += kernel[k][l][g] * from[l][g];
        to[k][g] = symmetric ? sqrt(to[k][g]) * sqrt(inverse(sum)) : inverse(sum);
      }
  }

  /// On log2 u and log2 v.
  void iterate_logs(std::size_t g, Workspace& workspace) {
    Real *const log_u = log_u_.group(g), *const log_v = log_v_.group(g);
    const std::size_t M = p_.M, N = p_.N;
    for (std::int64_t step = 0; step < steps_; ++step) {
      for (std::size_t j = 0; j < N; ++j) workspace.v[j] = at(log_v, j);
      for (std::size_t j = 0; j < N; ++j)
        put_lanes(log_v, j, next_log(workspace.v[j], at(nu_.group(g), j), M, [&](std::size_t i) {
                    return workspace.exponents[i * N + j] + (at(log_u, i) + workspace.shifts[i]);
                  }));
      if (!p_.symmetric)
        for (std::size_t j = 0; j < N; ++j) workspace.v[j] = at(log_v, j);
      for (std::size_t i = 0; i < M; ++i)
        put_lanes(log_u, i, next_log(at(log_u, i), at(mu_.group(g), i), N, [&](std::size_t j) {
                    return workspace.exponents[i * N + j] + (workspace.v[j] + workspace.shifts[i]);
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
  TinyLanes<Real> mu_, nu_;
  std::vector<Real> masses_;       ///< of a group: log2 of the largest over the smallest that is not 0
  TinyLanes<Real> log_u_, log_v_;  ///< in base 2
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
