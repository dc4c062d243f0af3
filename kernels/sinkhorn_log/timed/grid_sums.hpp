// A half step on an n x n grid of squared distances: logsumexp over the rows for each column of pixels, then
// over the columns for each row, each a matrix product over all lines of all items.
#pragma once

#include <array>

#include "kernels/sinkhorn_log/timed/batch_in_lanes.hpp"
#include "kernels/sinkhorn_log/timed/transpose.hpp"

namespace uotbench::sinkhorn_log {

/// A line of an item's grid a lane. A grid's row r is in row r; where `turned`, its column c in row c.
struct LineALane {
  std::size_t side, lanes_of_item;  ///< whole vectors; those too many hold nothing
  bool turned;

  std::size_t operator()(std::size_t row, std::size_t lane) const {
    const std::size_t b = lane / lanes_of_item, line = lane % lanes_of_item;
    if (line >= side) return nowhere;
    return b * side * side + (turned ? line * side + row : row * side + line);
  }
};

template <class Real>
class GridSums {
 public:
  using Pack = typename Lanes<Real>::Pack;
  static constexpr std::size_t W = Pack::size();

  /// `costs`: n x n, of one coordinate; `items` fields are summed at a time.
  GridSums(std::span<const Real> costs, std::size_t n, double reg, std::size_t items)
      : n_(n),
        items_(items),
        lanes_of_item_((n + W - 1) / W * W),
        weights_(n, items * lanes_of_item_),
        half_(n, items * lanes_of_item_),
        turned_(n, items * lanes_of_item_),
        largest_(items * lanes_of_item_),
        product_(n, n, [&](std::size_t r, std::size_t s) {
          return -std::numbers::log2e * static_cast<double>(costs[r * n + s]) / reg;
        }) {}

  std::size_t lanes_of_item() const { return lanes_of_item_; }

  /// take(k, vector, lse) for all lines and vectors of the result, in base 2. `from` has a row of pixels a
  /// row and gives columns, or the other way round. Returns what was made again.
  template <bool over_rows, class Take>
  Again logsumexp(const Lanes<Real>& from, Take take) {
    Again again = product_.template logsumexp<over_rows>(
        from, weights_, largest_, [&](std::size_t k, std::size_t v, Pack lse) { half_.put(k, v, lse); });
    turn();
    again += product_.template logsumexp<over_rows>(turned_, weights_, largest_, take);
    return again;
  }

 private:
  /// Each item's field, square by square.
  void turn() {
    const std::size_t squares = lanes_of_item_ / W;
#pragma omp parallel for collapse(2) schedule(static) if (items_ * n_ * n_ >= worth_a_team)
    for (std::size_t b = 0; b < items_; ++b)
      for (std::size_t i = 0; i < squares; ++i)
        for (std::size_t j = 0; j < squares; ++j) {
          std::array<Pack, W> square;
          for (std::size_t k = 0; k < W; ++k)
            square[k] = i * W + k < n_ ? half_.pack(i * W + k, b * squares + j) : Pack(minus_infinity<Real>);
          transpose(square);
          for (std::size_t k = 0; k < std::min(W, n_ - j * W); ++k)
            turned_.put(j * W + k, b * squares + i, square[k]);
        }
  }

  std::size_t n_, items_, lanes_of_item_;
  Lanes<Real> weights_, half_, turned_;
  Buffer<Real> largest_;  ///< of each lane's logarithms
  LaneProduct<Real> product_;
};

}  // namespace uotbench::sinkhorn_log
