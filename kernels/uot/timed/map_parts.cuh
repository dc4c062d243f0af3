// MAP-UOT on a GPU (Sun, Hu, Jiang 2024, section 4.2): part 2 scales rows and sums columns, part 4 scales
// columns and sums rows, each in one pass over the plan. As listed, but for what the listings leave out or
// have wrong: Ty and Tx where Algorithms 2 and 3 say By and Bx, bounds, a loop over `u` that shrinks it, and
// a barrier before line 17 of Algorithm 3.
#pragma once

#include "harness/worker/choices.hpp"
#include "kernels/uot/timed/device_plan.cuh"

namespace uotbench::uot {

/// For `smem` and `preload`.
inline constexpr bool in_shared_memory = true, preloaded = true, not_preloaded = false;

/// Algorithm 2. A block of Tx x Ty threads has Ty Ny rows of Tx `vec` columns. `smem`: factors and running
/// sums are in shared memory, as listed; else in registers. `preload`: the next row is loaded before this
/// one is worked on (section 4.2.2).
template <class Real, int Ny, int vec, bool smem, bool preload>
__global__ void part2(Real* P, const Real* __restrict__ factors, Real* column_sums, int M, int pitch) {
  using V = Pack<Real, vec>;
  UOTBENCH_DYNAMIC_SHARED(V, shared);
  const int Tx = blockDim.x, Ty = blockDim.y, tx = threadIdx.x, ty = threadIdx.y;
  V* const sums = shared;  // [Ty][Tx]
  Real* const staged = reinterpret_cast<Real*>(shared + Ty * Tx);
  const int first = Ny * Ty * blockIdx.y, row = first + Ny * ty, column = vec * (Tx * blockIdx.x + tx);
  if constexpr (smem) {
    for (int i = ty * Tx + tx; i < Ny * Ty; i += Tx * Ty)
      staged[i] = first + i < M ? factors[first + i] : Real(0);
    sums[ty * Tx + tx] = {};
    __syncthreads();
  }
  V sum = {};
  if (column < pitch && row < M) {
    Real* at = P + std::size_t(row) * pitch + column;
    V cells, next = preload ? load<V>(at) : V{};
#pragma unroll
    for (int i = 0; i < Ny && row + i < M; ++i, at += pitch) {
      if constexpr (preload) {
        cells = next;
        if (i + 1 < Ny && row + i + 1 < M) next = load<V>(at + pitch);
      } else {
        cells = load<V>(at);
      }
      const Real factor = smem ? staged[Ny * ty + i] : __ldg(factors + row + i);
      if constexpr (smem) sum = sums[ty * Tx + tx];
#pragma unroll
      for (int k = 0; k < vec; ++k) sum.of[k] += cells.of[k] *= factor;
      if constexpr (smem) sums[ty * Tx + tx] = sum;
      store(at, cells);
    }
  }
  if constexpr (!smem) sums[ty * Tx + tx] = sum;
  __syncthreads();
  if (ty > 0 || column >= pitch) return;
  V total = sums[tx];
  for (int y = 1; y < Ty; ++y)
    for (int k = 0; k < vec; ++k) total.of[k] += sums[y * Tx + tx].of[k];
  for (int k = 0; k < vec; ++k) atomicAdd(column_sums + column + k, total.of[k]);
}

/// Algorithm 3. A block of Tx threads has Ny rows of Tx `vec` columns.
template <class Real, int Ny, int vec, bool smem, bool preload>
__global__ void part4(Real* P, const Real* __restrict__ factors, Real* row_sums, int M, int pitch) {
  using V = Pack<Real, vec>;
  UOTBENCH_DYNAMIC_SHARED(V, shared);
  const int Tx = blockDim.x, tx = threadIdx.x, lane = tx % 32, warp = tx / 32;
  V* const staged = shared;                                 // [Tx]
  Real* const sums = reinterpret_cast<Real*>(shared + Tx);  // of warps
  const int row = Ny * blockIdx.y, column = vec * (Tx * blockIdx.x + tx);
  const bool inside = column < pitch;
  V factor = inside ? load<V>(factors + column) : V{};
  if constexpr (smem) staged[tx] = factor;
  Real* at = P + std::size_t(row) * pitch + column;
  V cells = {}, next = preload && inside ? load<V>(at) : V{};
#pragma unroll
  for (int i = 0; i < Ny && row + i < M; ++i, at += pitch) {
    if constexpr (preload) {
      cells = next;
      if (inside && i + 1 < Ny && row + i + 1 < M) next = load<V>(at + pitch);
    } else {
      if (inside) cells = load<V>(at);
    }
    if constexpr (smem) factor = staged[tx];
    Real sum = 0;
#pragma unroll
    for (int k = 0; k < vec; ++k) sum += cells.of[k] *= factor.of[k];
    if (inside) store(at, cells);
    sum = warp_sum(sum);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (tx == 0) {
      for (int w = 1; w < Tx / 32; ++w) sum += sums[w];
      atomicAdd(row_sums + row + i, sum);
    }
    __syncthreads();
  }
}

using RowsAThread = Choices<1, 2, 4, 8, 16>;
using Vectors = Choices<1, 2, 4>;
using Switch = Choices<0, 1>;

/// A part's tile, and how it is made.
struct Tile {
  unsigned Tx, Ty;
  std::int64_t Ny, vec, smem, preload;
};
/// The fastest of Fig. 8, as listed.
inline constexpr Tile part2_tile{32, 2, 8, 1, 1, 0}, part4_tile{128, 1, 8, 1, 1, 0};

/// The tile's axes; Ty is part 2's alone.
inline std::vector<Axis> tile_axes(const Tile& standard, bool has_Ty) {
  std::vector<Axis> axes{
      Choices<32, 64, 128, 256, 512, 1024>::axis("Tx", int(standard.Tx), "threads across a block"),
      RowsAThread::axis("Ny", int(standard.Ny), "rows that a thread works on"),
      Vectors::axis("vec", int(standard.vec), "columns that a thread loads at once"),
      Switch::axis("smem", int(standard.smem), "1: factors and sums are in shared memory; 0: in registers"),
      Switch::axis("preload", int(standard.preload),
                   "1: the next row is loaded before this one is worked on")};
  if (has_Ty)
    axes.push_back(Choices<1, 2, 4, 8, 16, 32>::axis("Ty", int(standard.Ty), "threads down a block"));
  return axes;
}

inline Tile tile_at(const Point& at, bool has_Ty) {
  return {.Tx = unsigned(at.integer("Tx")),
          .Ty = has_Ty ? unsigned(at.integer("Ty")) : 1,
          .Ny = at.integer("Ny"),
          .vec = at.integer("vec"),
          .smem = at.integer("smem"),
          .preload = at.integer("preload")};
}

/// Why a tile cannot be; empty: it can. (1024 threads of 16 bytes need a third of a block's shared memory.)
inline std::string tile_violation(const Tile& tile, const Point& at) {
  using std::to_string;
  const double element = width(at);
  const auto down = (at.integer("M") + tile.Ty * tile.Ny - 1) / (tile.Ty * tile.Ny);
  if (down > 65535) return "a grid would be " + to_string(down) + " blocks high; at most 65535: a larger Ny";
  if (tile.Tx * tile.Ty > 1024)
    return "a block would have Tx * Ty = " + to_string(tile.Tx * tile.Ty) + " threads; at most 1024";
  if (element * static_cast<double>(tile.vec) > 16)
    return "a thread would load vec = " + to_string(tile.vec) +
           " elements of 8 bytes at once; at most 16 bytes";
  return "";
}

/// Launches one part: of the plan, scaled by these factors.
template <class Real>
using Part = void (*)(DevicePlan<Real>&, const Real* factors, const Tile&);

template <class Real, int Ny, int vec, bool smem, bool preload>
void launch_part2(DevicePlan<Real>& plan, const Real* factors, const Tile& tile) {
  launch(part2<Real, Ny, vec, smem, preload>,
         dim3(blocks_of(plan.pitch, tile.Tx * vec), blocks_of(plan.M, tile.Ty * Ny)), dim3(tile.Tx, tile.Ty),
         (tile.Tx * vec + Ny) * tile.Ty * sizeof(Real), nullptr, plan.cells.data(), factors,
         plan.columns.sums.data(), plan.M, plan.pitch);
}

template <class Real, int Ny, int vec, bool smem, bool preload>
void launch_part4(DevicePlan<Real>& plan, const Real* factors, const Tile& tile) {
  launch(part4<Real, Ny, vec, smem, preload>,
         dim3(blocks_of(plan.pitch, tile.Tx * vec), blocks_of(plan.M, Ny)), dim3(tile.Tx),
         (tile.Tx * vec + tile.Tx / 32) * sizeof(Real), nullptr, plan.cells.data(), factors,
         plan.rows.sums.data(), plan.M, plan.pitch);
}

/// Calls act(Ny, vec, smem, preload) with the tile's, as constant expressions.
template <class Real, class Act>
void with_tile(const Tile& tile, Act act) {
  RowsAThread::with(tile.Ny, [&](auto Ny) {
    Vectors::with(tile.vec, [&](auto vec) {
      if constexpr (sizeof(Real) * vec() <= 16)
        Switch::with(tile.smem, [&](auto smem) {
          Switch::with(tile.preload, [&](auto preload) { act(Ny, vec, smem, preload); });
        });
    });
  });
}

/// Whole iterations of the two parts, whichever they are.
template <class Real>
class MapOnDevice {
 public:
  explicit MapOnDevice(const Problem<Real>& problem)
      : plan_(problem), ones_(std::max(plan_.rows.factors.size(), plan_.columns.factors.size())) {
    ones_.upload(std::vector<Real>(ones_.size(), 1));
  }

  /// The first row sums.
  void begin() { part4_plain_(plan_, ones_.data(), part4_tile); }
  void iterate(Part<Real> part2, const Tile& tile2, Part<Real> part4, const Tile& tile4) {
    plan_.rows.set_factors(plan_.scheme);
    part2(plan_, plan_.rows.factors.data(), tile2);
    plan_.columns.set_factors(plan_.scheme);
    part4(plan_, plan_.columns.factors.data(), tile4);
  }
  /// One part alone. Factors of one keep the plan as it is, however often: the same work, no overflow.
  void once(Part<Real> part, const Tile& tile) { part(plan_, ones_.data(), tile); }
  void finish(Result<Real>& out) { plan_.write(out); }

 private:
  static constexpr Part<Real> part4_plain_ = launch_part4<Real, 8, 1, in_shared_memory, not_preloaded>;

  DevicePlan<Real> plan_;
  DeviceArray<Real> ones_;
};

/// RW of the plan; a product and an addition a cell.
inline Work part_work(const Point& at) {
  return {
      .flops = 2 * cells(at), .bytes_read = width(at) * cells(at), .bytes_written = width(at) * cells(at)};
}

}  // namespace uotbench::uot
