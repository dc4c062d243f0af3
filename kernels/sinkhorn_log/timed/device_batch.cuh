// The batch on a device: costs, masses and potentials, in base e, and the half steps of an iteration.
#pragma once

#include <utility>

#include "harness/simt/cuda.hpp"
#include "harness/simt/device_array.hpp"
#include "kernels/sinkhorn_log/problem.hpp"

namespace uotbench::sinkhorn_log {

/// What a kernel is given: for each item b and each of its outputs o, the logsumexp over s of
/// from[b, s] - cost(b, s, o) / reg, and what write() makes of it. Of log v outputs are columns and sums go
/// over rows, of log u the other way round.
template <class Real>
struct HalfStep {
  const Real* costs;            ///< null where only points are given
  const Real *from, *log_mass;  ///< items x sums, items x outputs
  const Real* before;           ///< items x outputs: what symmetric order takes the mean with
  Real* to;                     ///< items x outputs
  int items, sums, outputs;
  std::size_t of_item, of_sum, of_output;  ///< how far apart costs of the next item, sum and output are
  Real reg;
  bool symmetric;
  bool of_columns;  ///< outputs are columns: costs of the next one are next to it

  __device__ const Real* costs_of(int item, int output) const {
    return costs + item * of_item + output * of_output;
  }
  __device__ Real mass_of(int item, int output) const {
    return log_mass[std::size_t(item) * outputs + output];
  }
  /// Where there is no mass, log u and log v stay -inf, whatever the logsumexp is.
  __device__ void write(int item, int output, Real logsumexp) const {
    const std::size_t at = std::size_t(item) * outputs + output;
    const Real mass = log_mass[at], next = mass - logsumexp;
    to[at] = mass == minus_infinity<Real> ? mass : symmetric ? (before[at] + next) / 2 : next;
  }
};

constexpr unsigned blocks_of(std::size_t n, std::size_t each) {
  return static_cast<unsigned>((n + each - 1) / each);
}

/// A variant is a class derived from this one, with an iterate() that calls half_steps().
template <class Real>
class DeviceBatch {
 public:
  static constexpr KernelTraits declares{.restarts = true};

  /// Without C where the derived class does not read it.
  explicit DeviceBatch(const Problem<Real>& p, bool reads_costs = true)
      : p_(p),
        costs_(reads_costs ? p.C : std::span<const Real>()),
        log_mu_(p.log_mu),
        log_nu_(p.log_nu),
        u_(p.mu.size()),
        v_(p.nu.size()) {
    if (p.symmetric) {
      next_u_ = DeviceArray<Real>(p.mu.size());
      next_v_ = DeviceArray<Real>(p.nu.size());
    }
    restart();
  }

  void restart() {
    u_.upload(start(p_.log_mu, p_.log_u0));
    v_.upload(start(p_.log_nu, p_.log_v0));
  }
  void finish(Result<Real>& out) const {
    std::vector<Real> u(u_.size()), v(v_.size());
    u_.download(u);
    v_.download(v);
    write_result(out, p_, u.data(), v.data());
  }

 protected:
  /// An iteration: step(half) for log v, then for log u. In symmetric order both are from what was.
  template <class Step>
  void half_steps(Step step) {
    const auto B = int(p_.B), M = int(p_.M), N = int(p_.N);
    const std::size_t own = p_.own_costs ? p_.M * p_.N : 0;
    DeviceArray<Real>&u = p_.symmetric ? next_u_ : u_, &v = p_.symmetric ? next_v_ : v_;
    step(HalfStep<Real>{costs_.data(), u_.data(), log_nu_.data(), v_.data(), v.data(), B, M, N, own, p_.N, 1,
                        p_.reg, p_.symmetric, true});
    step(HalfStep<Real>{costs_.data(), v_.data(), log_mu_.data(), u_.data(), u.data(), B, N, M, own, 1, p_.N,
                        p_.reg, p_.symmetric, false});
    if (!p_.symmetric) return;
    std::swap(u_, next_u_);
    std::swap(v_, next_v_);
  }

  const Problem<Real>& p_;
  DeviceArray<Real> costs_, log_mu_, log_nu_, u_, v_, next_u_, next_v_;  ///< next: of symmetric order alone

 private:
  static std::vector<Real> start(std::span<const Real> log_mass, std::span<const Real> given) {
    std::vector<Real> from(log_mass.begin(), log_mass.end());
    for (std::size_t k = 0; k < from.size(); ++k)
      if (from[k] != minus_infinity<Real>) from[k] = given.empty() ? Real(0) : given[k];
    return from;
  }
};

/// Elements on the device: costs and potentials.
inline double device_elements(const Point& at) {
  const double items = at.number("B"), cells = at.number("M") * at.number("N");
  return (at.text("matrix") == "never" ? 0
          : at.text("cost") == "own"   ? items * cells
                                       : cells) +
         4 * items * (at.number("M") + at.number("N"));
}

/// Why a block cannot have that much shared memory; empty: it can.
inline std::string shared_violation(double bytes, const char* instead) {
  constexpr double most = 48 * 1024;
  if (bytes <= most) return "";
  return "a block would have " + std::to_string(static_cast<long>(bytes)) +
         " bytes of shared memory; at most " + std::to_string(static_cast<long>(most)) + ": " + instead;
}

}  // namespace uotbench::sinkhorn_log
