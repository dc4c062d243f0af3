// Lines whose results are stored past the caches.
#pragma once

#include <cstdint>

#include "harness/worker/buffer.hpp"
#include "kernels/common/write_past.hpp"
#include "kernels/stencil/timed/cells.hpp"

namespace uotbench::stencil {

/// Cells whose outputs are aligned to a vector.
template <class Value, class Real>
struct CellsPast : Cells<Value, Real> {
  UOTBENCH_CELLWISE void put(int f, const Pack<Real>& value) const {
    write_past(this->view.out[f] + this->k, value);
  }
  UOTBENCH_CELLWISE void put(int f, const Packs<Real>& value) const {
    Real* const to = this->view.out[f] + this->k;
    for (std::size_t i = 0; i < value.count; ++i) write_past(to + i * Pack<Real>::size(), value.at[i]);
  }
};

/// One line, without its walls: numbers until the outputs are at a cache line, then vectors of whole cache
/// lines, then the rest. A cache line of which a part goes past the caches and another does not is written to
/// memory in parts: that takes longer than a hundred stores.
template <class Stage>
void compute_past(const Stage& stage, std::size_t line) {
  using Real = typename Stage::Number;
  constexpr std::size_t size = Pack<Real>::size(), whole = cache_line / sizeof(Real);
  static_assert(whole % size == 0);
  const View<Real> view = stage.view;
  const auto formula = stage.formula;
  const std::size_t end = stage.lines.end(line);
  std::size_t k = stage.lines.begin(line);
  // All fields are aligned alike, so the first output's place is that of all.
  const auto aligned = [&] { return reinterpret_cast<std::uintptr_t>(view.out[0] + k) % cache_line == 0; };
  for (; k < end && !aligned(); ++k) formula(Cells<Real, Real>{view, static_cast<std::ptrdiff_t>(k)});
  const std::size_t last = k + (end - k) / whole * whole;
  if constexpr (requires { formula.chained; })
    for (; k + Packs<Real>::size() <= last; k += Packs<Real>::size())
      formula(CellsPast<Packs<Real>, Real>{{view, static_cast<std::ptrdiff_t>(k)}});
  for (; k < last; k += size) formula(CellsPast<Pack<Real>, Real>{{view, static_cast<std::ptrdiff_t>(k)}});
  for (; k < end; ++k) formula(Cells<Real, Real>{view, static_cast<std::ptrdiff_t>(k)});
}

}  // namespace uotbench::stencil
