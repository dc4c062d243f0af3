// One read: K is never written. While a few rows of K are in cache, their scalings come from K v and go
// straight into the next K' u, so an iteration reads the matrix once: half of what two GEMVs or an in-place
// pass move.
#pragma once

#include "kernels/uot/parts/fused_pass.hpp"
#include "kernels/uot/parts/scalings.hpp"

namespace uotbench::uot {

/// The pass alone: rows(K, v, step), then columns(take). The axes `rows` and `prefetch` are its.
template <class Real, class Cells = ReadCells<Real>>
using OneReadPass = FusedPass<Real, Cells>;

inline std::vector<Axis> one_read_axes() {
  return {rows_at_once("rows of K in work at a time"), prefetch_ahead()};
}

/// The iterations, on K as `Cells` stores it.
template <class Real, class Cells = ReadCells<Real>>
class ReadOnce {
 public:
  static constexpr Declares declares{.restarts = true};

  ReadOnce(const Problem<Real>& problem, Buffer<typename Cells::Stored> K)
      : p_(problem), K_(std::move(K)), scalings_(problem), pass_(problem) {}

  void restart() { scalings_.restart(); }

  void iterate() {
    scalings_.remember();
    auto &u = scalings_.u, &v = scalings_.v;
    pass_.rows(K_.data(), v.data(),
               [&](std::size_t i, Real dot) { return u[i] = next_scaling(u[i], p_.a[i], dot, p_); });
    pass_.columns([&](std::size_t j, Real sum) { v[j] = next_scaling(v[j], p_.b[j], sum, p_); });
  }

  Change<Real> change() const { return scalings_.change(); }

  void finish(Result<Real>& out) { write_result<Real>(out, p_, scalings_.u, scalings_.v); }

 protected:
  const Problem<Real>& p_;
  Buffer<typename Cells::Stored> K_;
  Scalings<Real> scalings_;

 private:
  OneReadPass<Real, Cells> pass_;
};

}  // namespace uotbench::uot
