// The formulas, each written once, for a number, a vector of numbers, a whole array, or a thread of a GPU.
//
// A formula is called with a cell: cell(f, di, dj) is input f at (i + di, j + dj), cell.put(f, value) is
// output f at (i, j). What a value is, the cell says. Arrays are in C order: i is x, j is y; e and w are
// i + 1 and i - 1, n and s are j + 1 and j - 1.
// Sources: X. He, PLOS ONE 2023, doi 10.1371/journal.pone.0282265, Eq. 3 to 8; R. W. MacCormack 1969.
#pragma once

#include "kernels/stencil/shared/cellwise.hpp"
#include "kernels/stencil/shared/point_numbers.hpp"

namespace uotbench::stencil {

/// Y = X.
template <class Real>
struct CopyFormula {
  template <class Cell>
  UOTBENCH_CELLWISE void operator()(const Cell& cell) const {
    cell.put(0, cell(0));
  }
};

/// Y = a X.
template <class Real>
struct ScaleFormula {
  Real a;
  template <class Cell>
  UOTBENCH_CELLWISE void operator()(const Cell& cell) const {
    cell.put(0, a * cell(0));
  }
};

/// Y += a X. Inputs X, Y.
template <class Real>
struct AxpyFormula {
  Real a;
  template <class Cell>
  UOTBENCH_CELLWISE void operator()(const Cell& cell) const {
    cell.put(0, cell(1) + a * cell(0));
  }
};

/// Y <- Y + X - X + X - ..., `terms` of them, from left to right: each is rounded, and none may be folded
/// (Eq. 3). Inputs X, Y.
template <class Real>
struct XpxpynFormula {
  static constexpr bool chained = true;  ///< each sum needs the result of the one before it
  std::int64_t terms;
  template <class Cell>
  UOTBENCH_CELLWISE void operator()(const Cell& cell) const {
    const auto x = cell(0);
    auto y = cell(1);
    for (std::int64_t pair = 0; pair < terms / 2; ++pair) {
      y = y + x;
      y = y - x;
    }
    if (terms % 2 == 1) y = y + x;
    cell.put(0, y);
  }
};

/// Eq. 4: T_i + r (T_{i+1} - 2 T_i + T_{i-1}), with T's factors collected: 4 flops instead of 6.
template <class Real>
struct Heat1dFormula {
  Real middle, side;
  template <class Cell>
  UOTBENCH_CELLWISE void operator()(const Cell& cell) const {
    cell.put(0, middle * cell(0) + side * (cell(0, 0, 1) + cell(0, 0, -1)));
  }
};

/// Eq. 5, likewise: 6 flops instead of 8.
template <class Real>
struct Heat2dFormula {
  Real middle, side;
  template <class Cell>
  UOTBENCH_CELLWISE void operator()(const Cell& cell) const {
    cell.put(0, middle * cell(0) + side * (cell(0, 1, 0) + cell(0, -1, 0) + cell(0, 0, 1) + cell(0, 0, -1)));
  }
};

/// The MacCormack scheme of the Navier-Stokes equations with artificial compressibility. Both substeps are
/// one formula: first differences go forward (Eq. 7) or backward (Eq. 8), second differences are central.
template <class Real>
struct Momentum {
  Numbers<Real> by;

  /// A velocity u after the substep, from its convection and pressure (du_x, du_y) and its second
  /// differences.
  template <class Value>
  UOTBENCH_CELLWISE Value moved(const Value& u, const Value& du_x, const Value& du_y, const Value& bend_x,
                                const Value& bend_y) const {
    return u - by.dt_dx * du_x - by.dt_dy * du_y + by.nu_dx * bend_x + by.nu_dy * bend_y;
  }
  template <class Cell>
  UOTBENCH_CELLWISE auto bend_x(const Cell& cell, int f) const {
    return cell(f, 1, 0) - Real(2) * cell(f) + cell(f, -1, 0);
  }
  template <class Cell>
  UOTBENCH_CELLWISE auto bend_y(const Cell& cell, int f) const {
    return cell(f, 0, 1) - Real(2) * cell(f) + cell(f, 0, -1);
  }
};

/// Inputs U, V, P; outputs U*, V*, P* (Eq. 7).
template <class Real>
struct PredictorFormula : Momentum<Real> {
  template <class Cell>
  UOTBENCH_CELLWISE void operator()(const Cell& cell) const {
    const auto& by = this->by;
    const auto U = cell(0), V = cell(1), P = cell(2);
    const auto dU = cell(0, 1, 0) - U, dV = cell(1, 0, 1) - V;
    cell.put(0, this->moved(U, U * dU + cell(2, 1, 0) - P, V * (cell(0, 0, 1) - U), this->bend_x(cell, 0),
                            this->bend_y(cell, 0)));
    cell.put(1, this->moved(V, U * (cell(1, 1, 0) - V), V * dV + cell(2, 0, 1) - P, this->bend_x(cell, 1),
                            this->bend_y(cell, 1)));
    cell.put(2, P - by.c2_dx * dU - by.c2_dy * dV);
  }
};

/// Inputs U*, V*, P*, U, V, P; outputs U, V, P: the mean of U and U** (Eq. 8).
template <class Real>
struct CorrectorFormula : Momentum<Real> {
  template <class Cell>
  UOTBENCH_CELLWISE void operator()(const Cell& cell) const {
    const auto& by = this->by;
    const Real half = Real(.5);
    const auto U = cell(0), V = cell(1), P = cell(2);
    const auto dU = U - cell(0, -1, 0), dV = V - cell(1, 0, -1);
    const auto next_U = this->moved(U, U * dU + P - cell(2, -1, 0), V * (U - cell(0, 0, -1)),
                                    this->bend_x(cell, 0), this->bend_y(cell, 0));
    const auto next_V = this->moved(V, U * (V - cell(1, -1, 0)), V * dV + P - cell(2, 0, -1),
                                    this->bend_x(cell, 1), this->bend_y(cell, 1));
    const auto next_P = P - by.c2_dx * dU - by.c2_dy * dV;
    cell.put(0, half * (cell(3) + next_U));
    cell.put(1, half * (cell(4) + next_V));
    cell.put(2, half * (cell(5) + next_P));
  }
};

}  // namespace uotbench::stencil
