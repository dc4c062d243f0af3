// The plan on a device, scaled in place: arrays and vector steps of the variants that iterate on P.
//
// Rows are padded to whole vectors, with zeroes, which scaling and sums leave as they are.
#pragma once

#include "harness/simt/cuda.hpp"
#include "harness/simt/device_array.hpp"
#include "harness/simt/pack.hpp"
#include "kernels/uot/problem.hpp"

namespace uotbench::uot {

constexpr int rounded_up(std::size_t n, int unit) { return static_cast<int>((n + unit - 1) / unit) * unit; }
constexpr unsigned blocks_of(std::size_t n, std::size_t each) {
  return static_cast<unsigned>((n + each - 1) / each);
}

/// A row-major matrix on the device, rows padded with zeroes to a multiple of `unit` elements. Throws where
/// there is no memory.
template <class Real>
class DeviceMatrix {
 public:
  DeviceMatrix(std::span<const Real> cells, std::size_t rows, std::size_t columns, int unit = 4)
      : pitch(rounded_up(columns, unit)), rows_(rows), columns_(columns), cells_(rows * pitch) {
    cells_.zero();
    check(cudaMemcpy2D(cells_.data(), pitch * sizeof(Real), cells.data(), columns * sizeof(Real),
                       columns * sizeof(Real), rows, cudaMemcpyHostToDevice));
  }

  Real* data() { return cells_.data(); }
  void download(std::span<Real> to) const {
    check(cudaMemcpy2D(to.data(), columns_ * sizeof(Real), cells_.data(), pitch * sizeof(Real),
                       columns_ * sizeof(Real), rows_, cudaMemcpyDeviceToHost));
  }

  const std::size_t pitch;  ///< elements from one row to the next

 private:
  std::size_t rows_, columns_;
  DeviceArray<Real> cells_;
};

/// What a scheme makes of sums, on a device: plan_in_place.hpp's factors, problem.hpp's scalings.
template <class Real>
struct Scheme {
  Real fi;
  bool damped;

  __device__ Real step(Real mass, Real sum) const { return mass == 0 ? Real(0) : pow(mass / sum, fi); }
  /// By what a row or column of P is multiplied; updates its scaling.
  __device__ Real factor(Real& scaling, Real mass, Real sum) const {
    const Real next = step(mass, sum);
    if (damped) return next;
    const Real ratio = next == 0 ? Real(0) : next * pow(scaling, fi - 1);
    scaling *= ratio;
    return ratio;
  }
  /// The next scaling, for those that keep K.
  __device__ Real next_scaling(Real scaling, Real mass, Real sum) const {
    return damped ? pow(scaling, 1 - fi) * step(mass, sum) : step(mass, sum);
  }
};

/// Parts 1 and 3 of an iteration: factors of n rows or columns from their sums, which are set to zero for the
/// next (the paper's algorithms leave that out).
template <class Real>
__global__ void factors_from_sums(int n, const Real* mass, Real* sums, Real* scalings, Real* factors,
                                  Scheme<Real> scheme) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Real scaling = scalings[i];
  factors[i] = scheme.factor(scaling, mass[i], sums[i]);
  scalings[i] = scaling;
  sums[i] = 0;
}

/// One side of the problem: rows or columns. Padded with zeroes.
template <class Real>
struct Side {
  explicit Side(std::span<const Real> its_mass)
      : n(static_cast<int>(its_mass.size())),
        mass(rounded_up(n, 8)),
        sums(mass.size()),
        scalings(mass.size()),
        factors(mass.size()) {
    sums.zero();
    mass.upload(padded({its_mass.begin(), its_mass.end()}));
    for (auto* each : {&scalings, &factors}) each->upload(padded(std::vector<Real>(its_mass.size(), 1)));
  }

  void set_factors(Scheme<Real> scheme) {
    launch(factors_from_sums<Real>, dim3(blocks_of(n, 128)), dim3(128), 0, nullptr, n, mass.data(),
           sums.data(), scalings.data(), factors.data(), scheme);
  }

  /// Of an array's elements those that are no padding.
  std::vector<Real> values(const DeviceArray<Real>& array) const {
    std::vector<Real> all(array.size());
    array.download(all);
    all.resize(n);
    return all;
  }

  int n;
  DeviceArray<Real> mass, sums, scalings, factors;

 private:
  std::vector<Real> padded(std::vector<Real> values) const {
    values.resize(mass.size(), 0);
    return values;
  }
};

template <class Real>
struct DevicePlan {
  explicit DevicePlan(const Problem<Real>& problem)
      : M(static_cast<int>(problem.M)),
        cells(problem.K, problem.M, problem.N),
        pitch(static_cast<int>(cells.pitch)),
        rows(problem.a),
        columns(problem.b),
        scheme{problem.fi, problem.damped} {}

  void write(Result<Real>& out) const { cells.download(out.plan); }

  int M;
  DeviceMatrix<Real> cells;
  int pitch;
  Side<Real> rows, columns;
  Scheme<Real> scheme;
};

/// Sum over the lanes of a warp, in lane 0.
template <class Real>
__device__ __forceinline__ Real warp_sum(Real value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

}  // namespace uotbench::uot
