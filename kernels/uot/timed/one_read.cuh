// One read on a GPU: K is never written. While a row of K is in a block's registers its scaling comes
// from K v and goes straight into the next K' u: a quarter of what MAP-UOT's parts 2 and 4 move.
#pragma once

#include "kernels/uot/timed/whole_rows.cuh"

namespace uotbench::uot {

template <class Real>
struct RowScaling {
  Real* u;
  const Real* mass;
  Scheme<Real> scheme;

  __device__ Real term(Real cell, Real) const { return cell; }
  __device__ Real scale(int row, Real dot) const {
    const Real next = scheme.next_scaling(u[row], mass[row], dot);
    __syncthreads();  // all have read it
    if (threadIdx.x == 0) u[row] = next;
    return next;
  }
  template <int count>
  __device__ void keep(int, int, const Real*) const {}
};

template <class Real>
struct ColumnScaling {
  Real* v;
  const Real* mass;
  Scheme<Real> scheme;

  __device__ void operator()(int j, Real sum) const { v[j] = scheme.next_scaling(v[j], mass[j], sum); }
};

/// K stored as `Stored`, arithmetic in Real.
template <class Real, class Stored>
class OneRead {
 public:
  OneRead(const Problem<Real>& p, std::span<const Stored> K)
      : p_(p), K_(K, p.M, p.N, 16 / sizeof(Stored)), rows_(p.a), columns_(p.b), passes_(rows_.n, K_.pitch) {}

  void iterate() {
    const Scheme<Real> scheme{p_.fi, p_.damped};
    passes_.over_rows(K_.data(), columns_.scalings.data(),
                      {rows_.scalings.data(), rows_.mass.data(), scheme});
    passes_.over_columns(ColumnScaling<Real>{columns_.scalings.data(), columns_.mass.data(), scheme});
  }

  void finish(Result<Real>& out) {
    write_result<Real>(out, p_, rows_.values(rows_.scalings), columns_.values(columns_.scalings));
  }

 private:
  const Problem<Real>& p_;
  DeviceMatrix<Stored> K_;
  Side<Real> rows_, columns_;
  RowPasses<Real, Stored, RowScaling<Real>> passes_;
};

}  // namespace uotbench::uot
