// Beyond the published rungs: tensor cores, three products of TF32 for one of float, as exact.
#include "kernels/match/timed/tensor_tile.cuh"

namespace uotbench::match {
namespace {

const Variant<ByThreeProductsOfTf32, void> variant{{
    .name = "match/gpu11_tensor",
    .summary = "scores by tensor cores, 3 products of TF32 for one of float; the best kept in registers",
    .axes = {DeviceParts::axis()},
    .work = device_work,
    .refuse = tensor_violation,
    .device = true,
}};

}  // namespace
}  // namespace uotbench::match
