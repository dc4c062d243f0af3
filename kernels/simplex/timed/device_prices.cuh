// Points and potentials on a device, and what pricing kernels share there.
//
// Both sides are padded to whole tiles: targets with |y|^2 + v = infinity, which no value is above. A kernel
// prices slices of the targets, a row of blocks each; what they found is then merged.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "harness/simt/cuda.hpp"
#include "harness/simt/device_array.hpp"
#include "kernels/simplex/problem.hpp"

namespace uotbench::simplex {

/// What a kernel is given.
struct DeviceClouds {
  const double *x, *y;       ///< k x padded M, times -2, and k x padded N: a coordinate after the other
  const double *own, *size;  ///< |x|^2 - u, |y|^2 + v
  int M, N, k, x_stride, y_stride;
  double threshold = 0;  ///< <= 0: what a reduced cost must be below to count
};

/// The least value of a source so far, of |y|^2 + v - 2 <x, y>.
struct DeviceBest {
  double value;
  int target;

  __device__ void meet(double its_value, int its_target) {
    if (its_value < value) value = its_value, target = its_target;
  }
};

/// The best of all slices: of equal ones the first.
template <int threads>
__global__ void merge_slices(DeviceClouds c, int slices, const double* value, const int* target,
                             double* delta, int* best) {
  const int i = int(threadIdx.x) + threads * int(blockIdx.x);
  if (i >= c.M) return;
  DeviceBest all{c.threshold - c.own[i], -1};
  for (int s = 0; s < slices; ++s)
    all.meet(value[std::size_t(s) * c.x_stride + i], target[std::size_t(s) * c.x_stride + i]);
  best[i] = all.target;
  delta[i] = all.target < 0 ? 0 : all.value + c.own[i];
}

/// Points, potentials and results on the device.
class DevicePrices {
 public:
  static constexpr KernelTraits declares{.unit = Unit::part};
  static constexpr std::size_t tile = 128;  ///< both sides are padded to a multiple

  explicit DevicePrices(const Problem<double>& p) : DevicePrices(p.X, p.Y, p.M, p.N, p.k) {
    take(p.u, p.v, 0);
  }
  DevicePrices(std::span<const double> X, std::span<const double> Y, std::size_t M, std::size_t N,
               std::size_t k)
      : x_(laid_out(X, M, k, -2)),
        y_(laid_out(Y, N, k, 1)),
        own_(padded(M)),
        size_(padded(N)),
        delta_(M),
        best_(M),
        x2_(padded(M), 0),
        y2_(padded(N), std::numeric_limits<double>::infinity()) {
    for (std::size_t i = 0; i < M; ++i) x2_[i] = square(&X[i * k], k);
    for (std::size_t j = 0; j < N; ++j) y2_[j] = square(&Y[j * k], k);
    clouds_ = {x_.data(), y_.data(), own_.data(),    size_.data(),  int(M),
               int(N),    int(k),    int(padded(M)), int(padded(N))};
  }

  /// Other potentials, and what a reduced cost must be below to count.
  void take(std::span<const double> u, std::span<const double> v, double threshold) {
    std::vector<double> own(x2_), size(y2_);
    for (std::size_t i = 0; i < u.size(); ++i) own[i] -= u[i];
    for (std::size_t j = 0; j < v.size(); ++j) size[j] += v[j];
    own_.upload(own);
    size_.upload(size);
    clouds_.threshold = threshold;
  }
  void download(std::span<double> delta, std::span<std::int32_t> best) const {
    delta_.download(delta);
    best_.download(best);
  }

  void finish(Result<double>& out) const {
    std::vector<double> delta(delta_.size());
    std::vector<std::int32_t> best(best_.size());
    delta_.download(delta);
    best_.download(best);
    out.write_prices(delta, best);
  }

 protected:
  static std::size_t padded(std::size_t count) { return (count + tile - 1) / tile * tile; }

  DeviceArray<double> x_, y_, own_, size_;
  DeviceArray<double> delta_;
  DeviceArray<std::int32_t> best_;
  DeviceClouds clouds_;

 private:
  std::vector<double> x2_, y2_;  ///< |x|^2, |y|^2; padded

  static double square(const double* point, std::size_t k) {
    double sum = 0;
    for (std::size_t d = 0; d < k; ++d) sum += point[d] * point[d];
    return sum;
  }
  static std::vector<double> laid_out(std::span<const double> points, std::size_t count, std::size_t k,
                                      double times) {
    std::vector<double> all(padded(count) * k, 0);
    for (std::size_t p = 0; p < count; ++p)
      for (std::size_t d = 0; d < k; ++d) all[d * padded(count) + p] = times * points[p * k + d];
    return all;
  }
};

/// Targets in slices, so that the whole grid has a few thousand blocks, and a best of each slice and source.
/// A pricing kernel's class is derived from this one, with a part().
class SlicedPrices : public DevicePrices {
 public:
  /// `prices`: what DevicePrices is made of.
  template <class... Prices>
  explicit SlicedPrices(int wanted, const Prices&... prices)
      : DevicePrices(prices...),
        slice_((clouds_.y_stride / int(tile) + wanted - 1) / wanted * int(tile)),
        slices_((clouds_.y_stride + slice_ - 1) / slice_),
        value_(std::size_t(slices_) * std::size_t(clouds_.x_stride)),
        target_(std::size_t(slices_) * std::size_t(clouds_.x_stride)) {}
  explicit SlicedPrices(const Problem<double>& p) : SlicedPrices(int(p.at.integer("slices")), p) {}

 protected:
  /// The best of the slices' bests.
  void merge() {
    launch(merge_slices<int(tile)>, dim3(unsigned(clouds_.x_stride / int(tile))), dim3(unsigned(tile)), 0,
           nullptr, clouds_, slices_, static_cast<const double*>(value_.data()),
           static_cast<const int*>(target_.data()), delta_.data(), best_.data());
  }

  int slice_;  ///< targets of a slice: whole tiles
  int slices_;
  DeviceArray<double> value_;  ///< slices x padded M
  DeviceArray<int> target_;
};

/// Of a kernel that looks at all pairs.
inline Work device_pricing_work(const Point& at) {
  const double M = at.number("M"), N = at.number("N"), k = at.number("k");
  return {.flops = 2 * k * M * N, .bytes_read = 8 * (k + 1) * (M + N), .bytes_written = 12 * M};
}

inline Axis slices_axis() {
  return {.name = "slices",
          .standard = 16,
          .least = 1,
          .most = 4096,
          .about = "parts of the targets, priced by blocks of their own"};
}

}  // namespace uotbench::simplex
