// MAP-UOT's part 2 on a GPU by its tile (Fig. 8): rows are scaled by their factors while columns are summed.
// Judged as a whole iteration, with part 4 at its default tile; timed and counted alone.
#include "kernels/uot/timed/map_parts.cuh"

namespace uotbench::uot {
namespace {

template <class Real>
class MapPart2 {
 public:
  static constexpr KernelTraits declares{.unit = Unit::part, .begins = true};

  explicit MapPart2(const Problem<Real>& p) : map_(p), tile_(tile_at(p.at, true)) {
    with_tile<Real>(tile_, [&](auto Ny, auto vec, auto smem, auto preload) {
      part2_ = launch_part2<Real, Ny(), vec(), smem(), preload()>;
    });
  }

  void begin() { map_.begin(); }
  void iterate() {
    map_.iterate(part2_, tile_, launch_part4<Real, 8, 1, in_shared_memory, not_preloaded>, part4_tile);
  }
  void part() { map_.once(part2_, tile_); }
  void finish(Result<Real>& out) { map_.finish(out); }

 private:
  MapOnDevice<Real> map_;
  Tile tile_;
  Part<Real> part2_ = nullptr;
};

const Variant<MapPart2<float>, MapPart2<double>> variant{{
    .name = "uot/cuda_map_part2",
    .summary = "MAP-UOT, Algorithm 2, on a GPU: rows scaled, columns summed (2 MN elements moved)",
    .axes = tile_axes(part2_tile, true),
    .work = part_work,
    .refuse = [](const Point& at) { return tile_violation(tile_at(at, true), at); },
    .device = true,
}};

}  // namespace
}  // namespace uotbench::uot
