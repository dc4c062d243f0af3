// The maximum first, the sum of exponentials then: the costs are read twice, an exponential is computed once
// a pair, and none to rescale. What Viehmann (2019) names as perhaps faster than his online form.
#include "kernels/sinkhorn_log/timed/device_sums.cuh"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real>
__global__ void max_then_sum_step(HalfStep<Real> half) {
  UOTBENCH_DYNAMIC_SHARED(Real, shared);
  const Slice slice(half.outputs);
  const bool inside =
      slice.output < half.outputs && half.mass_of(slice.item, slice.output) != minus_infinity<Real>;
  const Real *const costs = half.costs_of(slice.item, slice.output),
                    *const from = half.from + std::size_t(slice.item) * half.sums, per_reg = 1 / half.reg;
  const int sums = inside ? half.sums : 0;

  Max<Real> max;
  for (int s = slice.thread; s < sums; s += slice.threads)
    max.meet({from[s] - costs[s * half.of_sum] * per_reg});
  max = merged<true>(max, slice, reinterpret_cast<Max<Real>*>(shared));
  Sum<Real> sum;
  if (max.value != minus_infinity<Real>)
    for (int s = slice.thread; s < sums; s += slice.threads)
      sum.value += exp(from[s] - costs[s * half.of_sum] * per_reg - max.value);
  sum = merged<false>(sum, slice, reinterpret_cast<Sum<Real>*>(shared + blockDim.z * slice.warps));
  if (slice.output < half.outputs && slice.thread == 0)
    half.write(slice.item, slice.output,
               max.value == minus_infinity<Real> ? max.value : max.value + log(sum.value));
}

template <class Real>
class CudaMaxThenSum : public SlicedBatch<Real> {
 public:
  using SlicedBatch<Real>::SlicedBatch;
  void iterate() { this->run(max_then_sum_step<Real>, 2); }
};

/// A block reads its column again for each item.
Work work(const Point& at) {
  const double items = at.text("cost") == "own" ? 1 : at.number("B");
  return exp_work(at, 1, 7, 4 * items);
}

const Variant<CudaMaxThenSum<float>, CudaMaxThenSum<double>> variant{
    {
        .name = "sinkhorn_log/cuda_max_then_sum",
        .summary = "threads share a sum: its maximum first, then one exponential a pair",
        .axes = CudaMaxThenSum<float>::axes(),
        .work = work,
        .refuse = CudaMaxThenSum<float>::refuse,
        .device = true,
    },
    device_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
