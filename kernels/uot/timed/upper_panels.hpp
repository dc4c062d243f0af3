// The upper triangle of a symmetric matrix, packed for sweeps in which threads share every row: panels of a
// few rows, each from its diagonal block, which is stored whole, to the last column.
#pragma once

#include <omp.h>

#include <algorithm>
#include <experimental/simd>

#include "harness/worker/parallel.hpp"
#include "kernels/uot/problem.hpp"

namespace uotbench::uot {

template <class Real>
class UpperPanels {
 public:
  using Pack = std::experimental::native_simd<Real>;
  static constexpr std::size_t height = 32;  ///< rows of a panel: whole vectors, and two panels in L2
  static constexpr std::size_t group = 4;    ///< rows that share a load of a vector

  explicit UpperPanels(const Problem<Real>& problem)
      : side_((problem.N + height - 1) / height * height), cells_(start(side_ / height)) {
#pragma omp parallel
    for (std::size_t p = 0; p < panels(); ++p) {
      const auto [first, last] = columns(p * height, omp_get_thread_num(), omp_get_num_threads());
      for (std::size_t row = 0; row < height; ++row)
        for (std::size_t j = first; j < last; ++j) {
          const std::size_t i = p * height + row, lane = j % Pack::size();
          cells_[place(p, row / group, j - lane) + row % group * Pack::size() + lane] =
              std::max(i, j) < problem.N ? problem.row(i)[j] : Real(0);
        }
    }
  }

  std::size_t side() const { return side_; }  ///< rows and columns, those of zeros that fill panels included
  std::size_t panels() const { return side_ / height; }

  /// Column j of the g-th group of a panel's rows: one vector of each row, then those of the next columns.
  const Real* at(std::size_t panel, std::size_t g, std::size_t j) const {
    return cells_.data() + place(panel, g, j);
  }

  /// What is thread t's of the columns from `first` on: as much as each thread's, and the first ones thread
  /// 0's, always.
  std::pair<std::size_t, std::size_t> columns(std::size_t first, int t, int threads) const {
    const auto part = [&](int parts) {
      const std::size_t vectors = (side_ - first) / height;
      return first + (vectors * static_cast<std::size_t>(parts) + static_cast<std::size_t>(threads) - 1) /
                         static_cast<std::size_t>(threads) * height;
    };
    return {part(t), part(t + 1)};
  }

 private:
  std::size_t place(std::size_t panel, std::size_t g, std::size_t j) const {
    const std::size_t diagonal = panel * height;
    return start(panel) + group * (g * (side_ - diagonal) + j - diagonal);
  }
  /// Cells before a panel.
  std::size_t start(std::size_t panel) const {
    return height * panel * (2 * side_ - height * panel + height) / 2;
  }

  std::size_t side_;
  Buffer<Real> cells_;
};

}  // namespace uotbench::uot
