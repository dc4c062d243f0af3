// MAP-UOT on a GPU (Sun, Hu, Jiang 2024, section 4.2): parts 1 to 4 of an iteration, at the tiles that Fig. 8
// has as the fastest, with vectors of 16 bytes and the next row preloaded.
#include "kernels/uot/timed/map_parts.cuh"

namespace uotbench::uot {
namespace {

template <class Real>
class MapUot {
 public:
  static constexpr KernelTraits declares{.begins = true};

  explicit MapUot(const Problem<Real>& p) : map_(p) {}

  void begin() { map_.begin(); }
  void iterate() {
    map_.iterate(launch_part2<Real, 8, vec, in_shared_memory, preloaded>, tile2_,
                 launch_part4<Real, 8, vec, in_shared_memory, preloaded>, tile4_);
  }
  void finish(Result<Real>& out) { map_.finish(out); }

 private:
  static constexpr int vec = 16 / sizeof(Real);
  static constexpr Tile tile2_{32, 2, 8, vec, 1, 1}, tile4_{128, 1, 8, vec, 1, 1};

  MapOnDevice<Real> map_;
};

Work work(const Point& at) {
  const double moved = 2 * width(at) * cells(at);
  return {.flops = 4 * cells(at), .bytes_read = moved, .bytes_written = moved};
}

const Variant<MapUot<float>, MapUot<double>> variant{{
    .name = "uot/cuda_map",
    .summary = "MAP-UOT on a GPU: parts 2 and 4, a pass over the plan each (4 MN elements moved)",
    .work = work,
    .device = true,
}};

}  // namespace
}  // namespace uotbench::uot
