// The Sinkhorn step of a published listing (T. Viehmann, "An efficient implementation of the Sinkhorn
// algorithm for the GPU", 2019), with pointers in place of PackedTensorAccessors: what the executor says of
// its faults, and of faults that are easily made in it.
#pragma once

#include <vector>

namespace uotbench::simt::tests {

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
