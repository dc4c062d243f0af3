// MAP-UOT's part 4 on a GPU by its tile (Fig. 8): columns are scaled by their factors while rows are summed.
// Judged as a whole iteration, with part 2 at its default tile; timed and counted alone.
#include "kernels/uot/timed/map_parts.cuh"

namespace uotbench::uot {
namespace {

template <class Real>
class MapPart4 {
 public:
  static constexpr KernelTraits declares{.unit = Unit::part, .begins = true};

  explicit MapPart4(const Problem<Real>& p) : map_(p), tile_(tile_at(p.at, false)) {
    with_tile<Real>(tile_, [&](auto Ny, auto vec, auto smem, auto preload) {
      part4_ = launch_part4<Real, Ny(), vec(), smem(), preload()>;
    });
  }

  void begin() { map_.begin(); }
  void iterate() {
    map_.iterate(launch_part2<Real, 8, 1, in_shared_memory, not_preloaded>, part2_tile, part4_, tile_);
  }
  void part() { map_.once(part4_, tile_); }
  void finish(Result<Real>& out) { map_.finish(out); }

 private:
  MapOnDevice<Real> map_;
  Tile tile_;
  Part<Real> part4_ = nullptr;
};

const Variant<MapPart4<float>, MapPart4<double>> variant{{
    .name = "uot/cuda_map_part4",
    .summary = "MAP-UOT, Algorithm 3, on a GPU: columns scaled, rows summed (2 MN elements moved)",
    .axes = tile_axes(part4_tile, false),
    .work = part_work,
    .refuse = [](const Point& at) { return tile_violation(tile_at(at, false), at); },
    .device = true,
}};

}  // namespace
}  // namespace uotbench::uot
