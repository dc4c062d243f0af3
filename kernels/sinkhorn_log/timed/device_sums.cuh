// A logsumexp by several threads: how they share it, and merge what each has found.
//
// A block of T x 1 x Z threads has Z sums of T threads each, a column a slice: T is a power of two up to
// 1024, the square of a warp. Less than a warp's lanes are segments of one.
#pragma once

#include "harness/worker/choices.hpp"
#include "kernels/sinkhorn_log/timed/device_batch.cuh"

namespace uotbench::sinkhorn_log {

/// The logsumexp so far: sum of exp(value - max).
template <class Real>
struct Online {
  Real max = minus_infinity<Real>, sum = 0;

  /// As the listing has it: each term rescales the sum, too. 2 exponentials.
  __device__ void meet_as_listed(Real value) {
    const Real old = max;
    max = max > value ? max : value;
    sum = old == minus_infinity<Real> ? Real(1) : sum * exp(old - max) + exp(value - max);
  }
  /// Of the two exponentials one is always of 0.
  __device__ void meet(Real value) {
    if (value == minus_infinity<Real>) return;
    const Real smaller = exp(value > max ? max - value : value - max);
    sum = value > max ? sum * smaller + 1 : sum + smaller;
    max = value > max ? value : max;
  }
  __device__ void meet(Online other) {
    if (other.max > max) {
      sum = sum * exp(max - other.max) + other.sum;
      max = other.max;
    } else if (max != minus_infinity<Real>) {
      sum += other.sum * exp(other.max - max);
    }
  }
  __device__ Online of_lane(unsigned mask, int apart) const {
    return {__shfl_xor_sync(mask, max, apart), __shfl_xor_sync(mask, sum, apart)};
  }
  /// -inf of nothing.
  __device__ Real logsumexp() const { return max > minus_infinity<Real> ? max + log(sum) : max; }
};

template <class Real>
struct Max {
  Real value = minus_infinity<Real>;
  __device__ void meet(Max other) { value = value > other.value ? value : other.value; }
  __device__ Max of_lane(unsigned mask, int apart) const { return {__shfl_xor_sync(mask, value, apart)}; }
};
template <class Real>
struct Sum {
  Real value = 0;
  __device__ void meet(Sum other) { value += other.value; }
  __device__ Sum of_lane(unsigned mask, int apart) const { return {__shfl_xor_sync(mask, value, apart)}; }
};

/// The place of this thread.
struct Slice {
  int thread = int(threadIdx.x), threads = int(blockDim.x);  ///< of the sum
  int warps = threads / 32;                                  ///< of the sum; 0: less than one
  unsigned mask = blockDim.x * blockDim.z < 32 ? (1u << blockDim.x * blockDim.z) - 1 : ~0u;
  int item, output;

  /// Blocks go through the outputs of an item, then to the next.
  __device__ explicit Slice(int outputs) {
    const unsigned blocks = (unsigned(outputs) + blockDim.z - 1) / blockDim.z;
    item = int(blockIdx.x / blocks);
    output = int(blockIdx.x % blocks * blockDim.z + threadIdx.z);
  }
};

/// What all threads of the slice have found, in all of them, or in the first warp. `shared`: blockDim.z x
/// warps. All threads of the block have to call it.
template <bool everywhere, class Found>
__device__ Found merged(Found mine, const Slice& slice, Found* shared) {
  for (int apart = 1; apart < 32 && apart < slice.threads; apart *= 2)
    mine.meet(mine.of_lane(slice.mask, apart));
  if (slice.warps < 2) return mine;
  Found* const of_slice = shared + threadIdx.z * slice.warps;
  const int lane = slice.thread % 32;
  if (lane == 0) of_slice[slice.thread / 32] = mine;
  __syncthreads();
  if (!everywhere && slice.thread >= 32) return mine;
  mine = lane < slice.warps ? of_slice[lane] : Found{};
  for (int apart = 1; apart < (everywhere ? 32 : slice.warps); apart *= 2)
    mine.meet(mine.of_lane(~0u, apart));
  return mine;
}

/// A batch whose sums are made so. A variant is a class derived from this one, with an iterate().
template <class Real>
class SlicedBatch : public DeviceBatch<Real> {
 public:
  explicit SlicedBatch(const Problem<Real>& p)
      : DeviceBatch<Real>(p),
        threads_(unsigned(p.at.integer("threads_a_sum"))),
        columns_(unsigned(p.at.integer("columns"))) {}

  static std::vector<Axis> axes() {
    return {Choices<1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024>::axis("threads_a_sum", 128,
                                                                       "threads that share a sum"),
            Choices<1, 2, 4, 8, 16, 32, 64>::axis("columns", 1, "sums of a block: columns, then rows")};
  }
  static std::string refuse(const Point& at) {
    if (at.integer("threads_a_sum") * at.integer("columns") <= 1024) return "";
    return "a block would have more than 1024 threads: fewer threads_a_sum or columns";
  }

 protected:
  /// With `elements` of shared memory for each warp of a sum.
  void run(void (*kernel)(HalfStep<Real>), std::size_t elements) {
    this->half_steps([&](const HalfStep<Real>& half) {
      const std::size_t blocks = std::size_t(half.items) * blocks_of(half.outputs, columns_);
      launch(kernel, dim3(unsigned(blocks)), dim3(threads_, 1, columns_),
             columns_ * (threads_ / 32) * elements * sizeof(Real), nullptr, half);
    });
  }

 private:
  unsigned threads_, columns_;
};

}  // namespace uotbench::sinkhorn_log
