// Blocks meet in memory: a block's minimum goes to the source's by an atomic operation on its bits, in an
// order that is that of the numbers. Who has the minimum then says which target it was.
#include "kernels/simplex/timed/device_scan.cuh"

namespace uotbench::simplex {
namespace {

/// Integers in the order of the numbers.
__device__ long long ordered(double value) {
  const long long bits = __double_as_longlong(value + 0.);  // -0 is 0
  return bits < 0 ? bits ^ 0x7fffffffffffffffLL : bits;
}

__global__ void begin_atomic(DeviceClouds c, long long* least, int* best) {
  const int i = int(threadIdx.x + blockDim.x * blockIdx.x);
  if (i >= c.M) return;
  least[i] = ordered(0);
  best[i] = c.N;
}

template <int K>
__global__ void price_atomic(DeviceClouds c, int slice, double* value, int* target, long long* least) {
  UOTBENCH_DYNAMIC_SHARED(double, tile);
  const int i = int(threadIdx.x + blockDim.x * blockIdx.x), first = int(blockIdx.y) * slice;
  const DeviceBest best = scanned<K>(c, tile, first, min(first + slice, c.y_stride));
  const std::size_t at = std::size_t(blockIdx.y) * c.x_stride + i;
  value[at] = best.target < 0 ? 0 : best.value + c.own[i];
  target[at] = best.target;
  if (i < c.M && best.target >= 0) atomicMin(&least[i], ordered(best.value + c.own[i]));
}

/// Of equal ones the first target.
__global__ void claim(DeviceClouds c, const double* value, const int* target, const long long* least,
                      int* best) {
  const int i = int(threadIdx.x + blockDim.x * blockIdx.x);
  const std::size_t at = std::size_t(blockIdx.y) * c.x_stride + i;
  if (i < c.M && target[at] >= 0 && ordered(value[at]) == least[i]) atomicMin(&best[i], target[at]);
}

__global__ void end_atomic(DeviceClouds c, const long long* least, double* delta, int* best) {
  const int i = int(threadIdx.x + blockDim.x * blockIdx.x);
  if (i >= c.M) return;
  const bool none = best[i] == c.N;
  const long long bits = least[i];
  delta[i] = none ? 0 : __longlong_as_double(bits < 0 ? bits ^ 0x7fffffffffffffffLL : bits);
  if (none) best[i] = -1;
}

class CudaPriceAtomic : public ScanningPrices {
 public:
  explicit CudaPriceAtomic(const Problem<double>& p) : ScanningPrices(p), least_(p.M) {}

  void part() {
    launch(begin_atomic, rows(), block(), 0, nullptr, clouds_, least_.data(), best_.data());
    scan(clouds_.k == 2   ? price_atomic<2>
         : clouds_.k == 3 ? price_atomic<3>
                          : price_atomic<0>,
         least_.data());
    launch(claim, rows_by_slices(), block(), 0, nullptr, clouds_, static_cast<const double*>(value_.data()),
           static_cast<const int*>(target_.data()), static_cast<const long long*>(least_.data()),
           best_.data());
    launch(end_atomic, rows(), block(), 0, nullptr, clouds_, static_cast<const long long*>(least_.data()),
           delta_.data(), best_.data());
  }
  void iterate() { part(); }

 private:
  DeviceArray<long long> least_;
};

const Variant<void, CudaPriceAtomic> cuda_price_atomic_variant{
    {
        .name = "simplex/cuda_price_atomic",
        .summary = "blocks' minima meet by atomic operations",
        .axes = {slices_axis()},
        .work = device_pricing_work,
        .device = true,
        .matrices = 0,
    },
    {.most_k = most_scan_k}};

}  // namespace
}  // namespace uotbench::simplex
