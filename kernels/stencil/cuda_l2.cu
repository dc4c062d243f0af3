// A thread a cell; what neighbours read again comes from the caches (the publication's optimal form on a
// GPU).
#include "kernels/stencil/timed/device_stepping.cuh"

namespace uotbench::stencil {
namespace {

template <class Real, class Formula>
__global__ void cell_a_thread(Stage<Real, Formula> stage) {
  const std::size_t place = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (std::size_t line = std::size_t(blockIdx.y) * blockDim.y + threadIdx.y; line < stage.lines.count;
       line += std::size_t(gridDim.y) * blockDim.y) {
    const std::size_t k = stage.lines.begin(line) + place;
    if (place < stage.lines.length && k < stage.lines.end(line))
      stage.formula(DeviceCell<Real>{stage.view, std::ptrdiff_t(k)});
  }
}

struct ThroughL2 {
  explicit ThroughL2(const Point& at) : shape(at) {}

  template <class Real, class Formula>
  void operator()(const Stage<Real, Formula>& stage) const {
    launch(cell_a_thread<Real, Formula>, shape.grid(stage.lines), shape.block(), 0, nullptr, stage);
  }

  BlockShape shape;
};

const Variant<DeviceStepping<float, ThroughL2>, DeviceStepping<double, ThroughL2>> cuda_l2{{
    .name = "stencil/cuda_l2",
    .summary = "a thread a cell, neighbours from the caches",
    .axes = block_axes(),
    .work = device_work,
    .refuse = block_refusal,
    .device = true,
}};

}  // namespace
}  // namespace uotbench::stencil
