// Kernels that do what none may; each throws KernelError. Lines that messages name are marked in bad.cu.
#pragma once

#include <cstddef>
#include <vector>

namespace uotbench::simt::tests {

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

}  // namespace uotbench::simt::tests
