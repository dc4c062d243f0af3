// A stage: one pass from arrays to arrays, over all cells that a formula gives a value. A time step is one
// stage, or two of NS2D.
#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/stencil/shared/cellwise.hpp"

namespace uotbench::stencil {

/// The arrays of a stage. In and out may be the same array, of which a cell then reads itself alone.
template <class Real>
struct View {
  const Real* in[6] = {};
  Real* out[3] = {};
  std::ptrdiff_t row = 0;  ///< elements from (i, j) to (i + 1, j)
  bool in_place = false;   ///< some array is both
};

/// The cells of a stage, as lines of cells that are side by side: a grid's inner rows, or pieces of a vector.
/// A line depends on itself and on its two neighbours, no others.
struct Lines {
  /// Elements of a piece: two of each of two arrays, and their temporal neighbours, stay in a second cache.
  static constexpr std::size_t piece = 4096;

  std::size_t first = 0, stride = 0, length = 0, last = 0, count = 0;

  UOTBENCH_CELLWISE std::size_t begin(std::size_t line) const { return first + line * stride; }
  UOTBENCH_CELLWISE std::size_t end(std::size_t line) const {
    const std::size_t whole = begin(line) + length;
    return whole < last ? whole : last;
  }
  /// Whether they are pieces of one vector, and no rows.
  UOTBENCH_CELLWISE bool are_pieces() const { return stride == length; }
  std::size_t cells() const { return count == 0 ? 0 : are_pieces() ? last - first : count * length; }

  /// [first, last) in pieces.
  static Lines pieces(std::size_t first, std::size_t last) {
    return {first, piece, piece, last, (last - first + piece - 1) / piece};
  }
  /// The inner cells of a grid.
  static Lines inner(std::size_t nx, std::size_t ny) {
    return {ny + 1, ny, ny - 2, nx * ny - ny - 1, nx - 2};
  }
};

/// dP / dn = 0: the pressure on a wall is that of the cell before it.
template <class Real>
struct Walls {
  Real* p = nullptr;  ///< nx x ny; null: the walls keep what they have
  std::size_t nx = 0, ny = 0;

  /// After all inner cells of inner line `line` (row line + 1) are written.
  void finish(std::size_t line) const {
    if (!p) return;
    Real* const row = p + (line + 1) * ny;
    row[0] = row[1];
    row[ny - 1] = row[ny - 2];
    if (line == 0) std::copy_n(row, ny, p);
    if (line == nx - 3) std::copy_n(row, ny, p + (nx - 1) * ny);
  }
};

template <class Real, class Formula>
struct Stage {
  using Number = Real;

  Formula formula;
  View<Real> view;
  Lines lines;
  Walls<Real> walls = {};
};

}  // namespace uotbench::stencil
