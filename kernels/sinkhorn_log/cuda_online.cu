// T. Viehmann's kernel ("An efficient implementation of the Sinkhorn algorithm for the GPU", 2019; arXiv
// 1907.01729, section 4): each thread goes through its share of a sum once, with the maximum so far; then
// xor shuffles, shared memory, and shuffles again. Three faults of the listing are mended: its shuffles have
// the arguments of an older CUDA; blocks with blockDim.z > 1 share one shared_mem; and there some threads
// return before a barrier that others wait at.
#include "kernels/sinkhorn_log/timed/device_sums.cuh"

namespace uotbench::sinkhorn_log {
namespace {

template <class Real, bool as_listed>
__global__ void online_step(HalfStep<Real> half) {
  UOTBENCH_DYNAMIC_SHARED(Online<Real>, shared);
  const Slice slice(half.outputs);
  const bool inside = slice.output < half.outputs;
  Online<Real> mine;
  if (inside && half.mass_of(slice.item, slice.output) != minus_infinity<Real>) {
    const Real *const costs = half.costs_of(slice.item, slice.output), *const from = half.from +
                                                                                     std::size_t(slice.item) *
                                                                                         half.sums;
    for (int s = slice.thread; s < half.sums; s += slice.threads) {
      const Real value = -costs[s * half.of_sum] / half.reg + from[s];
      as_listed ? mine.meet_as_listed(value) : mine.meet(value);
    }
  }
  mine = merged<false>(mine, slice, shared);
  if (inside && slice.thread == 0) half.write(slice.item, slice.output, mine.logsumexp());
}

template <class Real>
class CudaOnline : public SlicedBatch<Real> {
 public:
  using SlicedBatch<Real>::SlicedBatch;

  void iterate() {
    const bool as_listed = this->p_.at.integer("exps") == 2;
    this->run(as_listed ? online_step<Real, true> : online_step<Real, false>, 2);
  }
};

std::vector<Axis> axes() {
  std::vector<Axis> all = CudaOnline<float>::axes();
  all.push_back(Choices<1, 2>::axis("exps", 2, "exponentials of a term: 2, as listed; 1: one is of 0"));
  return all;
}

/// A block reads its column again for each item.
Work work(const Point& at) {
  const double items = at.text("cost") == "own" ? 1 : at.number("B");
  return exp_work(at, at.number("exps"), 5, 2 * items);
}

const Variant<CudaOnline<float>, CudaOnline<double>> variant{
    {
        .name = "sinkhorn_log/cuda_online",
        .summary = "Viehmann's kernel: online logsumexp, shuffles, shared memory, shuffles",
        .axes = axes(),
        .work = work,
        .refuse = CudaOnline<float>::refuse,
        .device = true,
    },
    device_elements};

}  // namespace
}  // namespace uotbench::sinkhorn_log
