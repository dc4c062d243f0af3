// How a line of cells is computed: a number after the other, or a vector at a time.
#pragma once

#include <cstdint>

#include "kernels/common/lanes.hpp"
#include "kernels/stencil/shared/cellwise.hpp"
#include "kernels/stencil/shared/stages.hpp"
#include "kernels/stencil/timed/vectors.hpp"

namespace uotbench::stencil {

/// Cells k to k + lanes - 1 of a stage's arrays.
template <class Value, class Real>
struct Cells {
  const View<Real>& view;
  std::ptrdiff_t k;

  UOTBENCH_CELLWISE Value operator()(int f, int di = 0, int dj = 0) const {
    const Real* const from = view.in[f] + (k + di * view.row + dj);
    if constexpr (lanes<Value>() == 1)
      return *from;
    else
      return Value(from, std::experimental::element_aligned);
  }
  UOTBENCH_CELLWISE void put(int f, const Value& value) const {
    Real* const to = view.out[f] + k;
    if constexpr (lanes<Value>() == 1)
      *to = value;
    else
      value.copy_to(to, std::experimental::element_aligned);
  }
};

/// Calls act(cells) for cells [from, to) of a stage, a vector at a time, all but the first and the last
/// stored where vectors are aligned: a store across two lines of a cache is two. What fills no vector comes
/// twice, as part of two; one by one where a cell reads what it writes. A chained formula takes
/// several vectors at a time.
template <class Stage, class Act>
UOTBENCH_CELLWISE void each_vector(const Stage& stage, std::size_t from, std::size_t to, Act act) {
  using Real = typename Stage::Number;
  constexpr std::size_t size = Pack<Real>::size();
  const View<Real> view = stage.view;
  const auto vector = [&](std::size_t k) {
    act(Cells<Pack<Real>, Real>{view, static_cast<std::ptrdiff_t>(k)});
  };
  std::size_t k = from;
  const bool overlap = !view.in_place && from + size <= to;
  if (overlap) {
    vector(from);
    k += size - reinterpret_cast<std::uintptr_t>(view.out[0] + from) % sizeof(Pack<Real>) / sizeof(Real);
  }
  if constexpr (requires { stage.formula.chained; })
    for (; k + Packs<Real>::size() <= to; k += Packs<Real>::size())
      act(Cells<Packs<Real>, Real>{view, static_cast<std::ptrdiff_t>(k)});
  for (; k + size <= to; k += size) vector(k);
  if (overlap && k < to) return vector(to - size);
  for (; k < to; ++k) act(Cells<Real, Real>{view, static_cast<std::ptrdiff_t>(k)});
}

/// Cells [from, to) of a stage. The walls of the line are the caller's.
template <class Stage>
UOTBENCH_CELLWISE void compute(const Stage& stage, std::size_t from, std::size_t to) {
  each_vector(stage, from, to, stage.formula);
}

/// A line and its walls.
template <class Stage>
void compute_line(const Stage& stage, std::size_t line) {
  compute(stage, stage.lines.begin(line), stage.lines.end(line));
  stage.walls.finish(line);
}

}  // namespace uotbench::stencil
