// Rung 9 on a GPU, beyond the published ones: a thread meets 8 candidates with 8 queries, a byte of shared
// memory a multiply-add where rung 8 has 3. 128 x 128 of them a block do not fit in shared memory: 8
// dimensions at a time do, while the next 8 are on their way; and the candidates are divided among several
// blocks.
#include "kernels/match/timed/register_tile.cuh"

namespace uotbench::match {
namespace {

template <int dim>
__global__ void __launch_bounds__(register_tile::threads, 2) gpu9_register_tile(Sets s, Best* found) {
  register_tile::find<dim>(s, found);
}

class Gpu9 : public PartsKeeping<Best> {
 public:
  using PartsKeeping::PartsKeeping;
  void iterate() {
    run(sets().D == 128 ? gpu9_register_tile<128> : gpu9_register_tile<0>, register_tile::side,
        dim3(register_tile::threads), 0);
  }
};

const Variant<Gpu9, void> variant{{
    .name = "match/gpu9_register_tile",
    .summary = "8 x 8 matches a thread in registers, 128 x 128 a block",
    .axes = {Gpu9::axis()},
    .work = device_work,
    .device = true,
}};

}  // namespace
}  // namespace uotbench::match
