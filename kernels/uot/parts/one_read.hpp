// One read: K is never written. While a few rows of K are in cache, their scalings come from K v and go
// straight into the next K' u, so an iteration reads the matrix once: half of what two GEMVs or an in-place
// pass move.
#pragma once

#include "kernels/uot/parts/fused_pass.hpp"
#include "kernels/uot/parts/next_scalings.hpp"
#include "kernels/uot/parts/scalings.hpp"

namespace uotbench::uot {

/// The pass alone: rows(K, v, step), then columns(take). The axes `rows`, `prefetch` and `group` are its.
template <class Real, class Cells = ReadCells<Real>>
using OneReadPass = FusedPass<Real, Cells>;

inline std::vector<Axis> one_read_axes() {
  return {rows_at_once("rows of K in work at a time"), prefetch_ahead(), group_of_sums()};
}

/// The iterations, on K as `Cells` stores it.
template <class Real, class Cells = ReadCells<Real>>
class ReadOnce {
 public:
  static constexpr KernelTraits declares{.restarts = true, .facts = true};

  ReadOnce(const Problem<Real>& problem, Buffer<typename Cells::Stored> K)
      : p_(problem), K_(std::move(K)), scalings_(problem), next_(problem), pass_(problem) {}

  void restart() { scalings_.restart(); }

  void iterate() {
    scalings_.remember();
    auto &u = scalings_.u, &v = scalings_.v;
    pass_.rows_and_columns(
        K_.data(), v.data(), [&](std::size_t i, auto dots) { return next_(&u[i], &p_.a[i], dots); },
        [&](std::size_t j, auto sums) { next_(&v[j], &p_.b[j], sums); });
  }

  Change<Real> change() const { return scalings_.change(); }

  void finish(Result<Real>& out) { write_result<Real>(out, p_, scalings_.u, scalings_.v); }
  Facts facts() const { return pass_.facts(); }

 protected:
  const Problem<Real>& p_;
  Buffer<typename Cells::Stored> K_;
  Scalings<Real> scalings_;

 private:
  NextScalings<Real> next_;
  OneReadPass<Real, Cells> pass_;
};

}  // namespace uotbench::uot
