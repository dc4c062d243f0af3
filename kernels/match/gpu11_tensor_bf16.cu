// Tensor cores on points rounded to bfloat16: half the wavefronts of rung 11, and one product where that has
// three.
#include "kernels/match/timed/tensor_tile.cuh"

namespace uotbench::match {
namespace {

const Variant<ByProductsOfBf16, void> variant{{
    .name = "match/gpu11_tensor_bf16",
    .summary = "scores by tensor cores, of points rounded to bfloat16; the best kept in registers",
    .axes = {DeviceParts::axis()},
    .work = device_work,
    .refuse = tensor_violation,
    .device = true,
    // Two scores of numbers with 8 digits, each off by 2^-8 of |a| |b| at most.
    .tolerance = 0x1p-7,
}};

}  // namespace
}  // namespace uotbench::match
