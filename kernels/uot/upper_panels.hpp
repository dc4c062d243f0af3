// The upper triangle of a symmetric matrix, packed for sweeps in which threads share every row: panels of a
// few rows, each from its diagonal block (stored whole) to the last column, in tiles that lie one after the
// other. A column block belongs to one thread for good, and with it its tiles and its part of vectors.
#pragma once

#include <omp.h>

#include <algorithm>
#include <vector>

#include "kernels/uot/problem.hpp"

namespace uotbench::uot {

template <class Real>
class UpperPanels {
 public:
  static constexpr std::size_t height = 16;  ///< rows of a panel: whole vectors, and two panels in L2
  static constexpr std::size_t block = 256;  ///< columns of a tile, which takes 16 KiB of floats

  struct Tile {
    const Real* cells;  ///< `height` rows of `columns`
    std::size_t first, columns;

    const Real* at(std::size_t row, std::size_t column) const {
      return cells + row * columns + column - first;
    }
  };

  explicit UpperPanels(const Problem<Real>& problem)
      : side_((problem.N + height - 1) / height * height), cells_(start(side_ / height)) {
#pragma omp parallel
    for (std::size_t p = 0; p < panels(); ++p)
      for_my_tiles(p, [&](const Tile& tile) {
        Real* const to = cells_.data() + (tile.cells - cells_.data());
        for (std::size_t r = 0; r < height; ++r)
          for (std::size_t c = 0; c < tile.columns; ++c) {
            const std::size_t i = p * height + r, j = tile.first + c;
            to[r * tile.columns + c] = std::max(i, j) < problem.N ? problem.row(i)[j] : Real(0);
          }
      });
  }

  std::size_t side() const { return side_; }  ///< rows and columns, those of zeros that fill panels included
  std::size_t panels() const { return side_ / height; }

  /// The calling thread's tiles of a panel, by column.
  template <class Act>
  void for_my_tiles(std::size_t panel, Act act) const {
    const std::size_t diagonal = panel * height;
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto mine = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t b = diagonal / block;
    for (std::size_t at = b + (mine + threads - b % threads) % threads; at * block < side_; at += threads) {
      const std::size_t first = std::max(at * block, diagonal);
      act(Tile{cells_.data() + start(panel) + height * (first - diagonal), first,
               std::min((at + 1) * block, side_) - first});
    }
  }
  /// Whether the panel's diagonal is in one of the calling thread's column blocks.
  static bool diagonal_is_mine(std::size_t panel) {
    return static_cast<int>(panel * height / block % static_cast<std::size_t>(omp_get_num_threads())) ==
           omp_get_thread_num();
  }

 private:
  /// Cells before a panel.
  std::size_t start(std::size_t panel) const {
    return height * panel * (2 * side_ - height * panel + height) / 2;
  }

  std::size_t side_;
  Buffer<Real> cells_;
};

}  // namespace uotbench::uot
