// Kernels of tests: right ones, by what they compute, each of which also compiles with nvcc; and others
// whose faults the executor is to find.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace uotbench::simt::tests {

using Floats = std::vector<float>;

/// The sum, by shuffles within warps, shared memory across them, and an atomic.
float sum(const Floats& values, int block);
/// `rows` x `columns`, through tiles of 32 x 32 in shared memory.
Floats transposed(const Floats& matrix, int rows, int columns);
/// How often each of 0..255 is there: counted in shared memory, then added up.
std::vector<unsigned> histogram(const std::vector<unsigned char>& values);
/// Each block's values in reverse; dynamic shared memory of `block` floats.
Floats reversed_blocks(const Floats& values, int block);
/// c0 + c1 x + c2 x^2, coefficients in constant memory.
Floats polynomial(const Floats& x, const Floats& coefficients);
/// How many are greater than `limit`, counted in a __device__ variable.
unsigned count_above(const Floats& values, float limit);
/// x rounded to 16 bits and back, stored as such.
Floats through_half(const Floats& x);
Floats through_bfloat16(const Floats& x);
/// Sums of pairs of neighbours in a block of 64; what they are read from was copied asynchronously.
Floats neighbour_sums(const Floats& values);
/// Threads beyond the end leave before their warp's others shuffle: each warp's greatest value.
Floats warp_maxima(const Floats& values);
/// scale * (x + y), vectors of 4.
Floats axpy4(const Floats& x, const Floats& y, float scale);

/// A (16 x k) B (k x 8, by columns) + C (16 x 8) by a tensor core, k = 8 (TF32) or 16 (bfloat16).
Floats tensor_product(const Floats& A, const Floats& B, const Floats& C);

/// The threads of a grid, each by its number, in the order in which they came to an atomic.
std::vector<int> order_of_threads(int blocks, int block);
/// What each lane of a warp gets of: shuffles up by 3, down by 3, xor 5, from 2, each within 8 lanes; ballot
/// of odd lanes; any; all; match of lane / 8; sums, minima, maxima of lane - 5; how many lanes of 64 at the
/// barrier are odd, whether all, whether any.
constexpr int exchanges = 15;
std::vector<int> exchanged();
/// Old values, then the new one: add, sub, min, max, and, or, xor, exchange, compare (not equal), compare,
/// inc, dec of 12 with 10.
std::vector<unsigned> atomics();
/// Functions on numbers.
Floats functions(float x);
/// A kernel with parameters of many types, to which other types convert: what it was given.
std::vector<double> parameters();

// Two kernels over a matrix, for the time: rows scaled and columns summed, columns scaled and rows summed.
void scale_twice(Floats& matrix, const Floats& rows, const Floats& columns, int height, int width,
                 Floats& column_sums, Floats& row_sums);

// Kernels that do what none may; each throws KernelError. Lines that messages name are marked in bad.cu.

void divergent_barrier();
void mixed_barriers();
void barrier_in_place_of_shuffle();
void two_masks();
void two_collectives();
void lane_not_in_mask();
void tensor_core_of_half_a_warp();
void shuffle_from_ended_lane();
void shuffle_from_lane_outside_mask();
void shuffle_from_missing_lane();
void shuffle_width_of_three();
void grid_sync();
void waits_with_atomics();
void waits_with_volatile();
void loops_forever();
void recurses_forever();
void large_array_on_the_stack();
void writes_to_null();
void writes_past_dynamic_shared();
void divides_by_zero();
void traps();
void odd_async_copy();
/// Neighbours' sums without the wait for what was copied: true where they are right.
bool unwaited_copy_is_right();

/// An empty kernel.
void launch_empty(unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                  unsigned block_z, std::size_t shared_bytes);
/// Asks for it first.
void launch_with_large_shared(std::size_t bytes);
void launch_from_a_kernel();
/// Linear index of the one thread that works in the second block of (2,1,1).
void fails_in_thread(int thread);

// The Sinkhorn step of a published listing (T. Viehmann, "An efficient implementation of the Sinkhorn
// algorithm for the GPU", 2019), with pointers in place of PackedTensorAccessors: what the executor says of
// its faults, and of faults that are easily made in it.

enum class StepFault {
  none_more,          ///< as listed, with the arguments of __shfl_xor_sync in today's order
  old_arguments,      ///< as listed: the value where today's mask is
  no_barrier,         ///< warp leaders store, and nobody waits
  mask_of_all_lanes,  ///< the last shuffles, by a lane for each warp, have the mask of 32 lanes
};

/// log v (N) = log nu - logsumexp_i(-dist_ij / lambda + log u_i) of one pair, threads `x` a sum and `z` sums
/// a block. dist: M x N. Throws KernelError.
std::vector<float> sinkhorn_step(StepFault fault, const std::vector<float>& dist,
                                 const std::vector<float>& log_nu, const std::vector<float>& log_u,
                                 unsigned x, unsigned z);

}  // namespace uotbench::simt::tests
