// A thread a cell; a block first loads its cells and a rim of one cell into shared memory.
#include "kernels/stencil/timed/device_stepping.cuh"

namespace uotbench::stencil {
namespace {

/// Inputs that a formula reads at neighbours, the first ones, and how many rows away.
template <class Formula>
constexpr int tiles_of = 3;
template <class Real>
constexpr int tiles_of<Heat1dFormula<Real>> = 1;
template <class Real>
constexpr int tiles_of<Heat2dFormula<Real>> = 1;
template <class Formula>
constexpr bool reads_rows = true;
template <class Real>
constexpr bool reads_rows<Heat1dFormula<Real>> = false;

template <class Real, int tiles>
struct TileCell {
  const View<Real>& view;
  std::ptrdiff_t k;
  const Real* tile;  ///< this cell in the first tile
  int row, size;     ///< elements of a tile's row, and of a tile

  UOTBENCH_CELLWISE Real operator()(int f, int di = 0, int dj = 0) const {
    return f < tiles ? tile[f * size + di * row + dj] : view.in[f][k];
  }
  UOTBENCH_CELLWISE void put(int f, Real value) const { view.out[f][k] = value; }
};

template <class Real, class Formula>
__global__ void cell_a_thread_of_tiles(Stage<Real, Formula> stage) {
  UOTBENCH_DYNAMIC_SHARED(Real, shared);
  constexpr int tiles = tiles_of<Formula>, rim = reads_rows<Formula> ? 1 : 0;
  const Lines& lines = stage.lines;
  const int columns = int(blockDim.x) + 2, rows = int(blockDim.y) + 2, size = columns * rows;
  const std::ptrdiff_t first_place = std::ptrdiff_t(blockIdx.x) * blockDim.x;
  const std::ptrdiff_t count = std::ptrdiff_t(lines.count), length = std::ptrdiff_t(lines.length);
  for (std::ptrdiff_t first = std::ptrdiff_t(blockIdx.y) * blockDim.y; first < count;
       first += std::ptrdiff_t(gridDim.y) * blockDim.y) {
    for (int t = int(threadIdx.y * blockDim.x + threadIdx.x); t < size; t += int(blockDim.x * blockDim.y)) {
      const std::ptrdiff_t line = first + t / columns - 1, place = first_place + t % columns - 1;
      const std::ptrdiff_t k = std::ptrdiff_t(lines.first) + line * std::ptrdiff_t(lines.stride) + place;
      if (line < -rim || line >= count + rim || place > length) continue;
      if (lines.are_pieces() && k > std::ptrdiff_t(lines.last)) continue;
      for (int f = 0; f < tiles; ++f) shared[f * size + t] = stage.view.in[f][k];
    }
    __syncthreads();
    const std::ptrdiff_t line = first + threadIdx.y, place = first_place + threadIdx.x;
    if (line < count && place < length) {
      const std::ptrdiff_t k = std::ptrdiff_t(lines.begin(std::size_t(line))) + place;
      const int own = int(threadIdx.y + 1) * columns + int(threadIdx.x) + 1;
      if (k < std::ptrdiff_t(lines.end(std::size_t(line))))
        stage.formula(TileCell<Real, tiles>{stage.view, k, shared + own, columns, size});
    }
    __syncthreads();
  }
}

struct ThroughShared {
  explicit ThroughShared(const Point& at) : shape(at) {}

  template <class Real, class Formula>
  void operator()(const Stage<Real, Formula>& stage) const {
    if constexpr (!std::is_same_v<Formula, CopyFormula<Real>> &&
                  !std::is_same_v<Formula, ScaleFormula<Real>> &&
                  !std::is_same_v<Formula, AxpyFormula<Real>> &&
                  !std::is_same_v<Formula, XpxpynFormula<Real>>)
      launch(cell_a_thread_of_tiles<Real, Formula>, shape.grid(stage.lines), shape.block(),
             tiles_of<Formula> * sizeof(Real) * (shape.rows + 2) * (shape.columns + 2), nullptr, stage);
  }

  BlockShape shape;
};

/// 48 KiB of shared memory are a block's without being asked for.
std::string refuse_tiles(const Point& at) {
  if (std::string reason = block_refusal(at); !reason.empty()) return reason;
  const double tiles = at.text("model").starts_with("heat") ? 1 : 3;
  if (width(at) * tiles * (at.number("Bx") + 2) * (at.number("By") + 2) <= 48 * 1024) return "";
  return "stencil/cuda_shared: the tiles of a block are larger than 48 KiB: a smaller Bx or By would be "
         "right";
}

const Variant<DeviceStepping<float, ThroughShared>, DeviceStepping<double, ThroughShared>> cuda_shared{
    {
        .name = "stencil/cuda_shared",
        .summary = "a thread a cell, neighbours from tiles in shared memory",
        .axes = block_axes(),
        .work = device_work,
        .refuse = refuse_tiles,
        .device = true,
    },
    {"heat1d", "heat2d", "ns2d", "predictor", "corrector"}};

}  // namespace
}  // namespace uotbench::stencil
