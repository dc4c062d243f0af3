// The models' work. Flops, reads and writes are counted by calling each formula once with a cell that counts.
#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <variant>

#include "harness/worker/typed_variant.hpp"
#include "kernels/stencil/parts/models.hpp"

namespace uotbench::stencil {

/// Of one cell, of one step.
struct Counts {
  double flops = 0;
  double reads = 0;         ///< array elements that the formulas name, each once
  double inputs = 0;        ///< Ni: arrays read
  double outputs = 0;       ///< No: arrays written
  double fetched = 0;       ///< arrays written and not read
  double split_reads = 0;   ///< arrays that one pass for every operation reads
  double split_writes = 0;  ///< and writes

  double low() const { return inputs + outputs; }  ///< beta_lo
  double high() const { return reads - inputs; }   ///< beta_hi
};

/// A number of which only the operations count.
struct CountedNumber {
  Counts* to;

  const CountedNumber& counted(double operands) const {
    to->flops += 1;
    to->split_reads += operands;
    to->split_writes += 1;
    return *this;
  }
  friend CountedNumber operator+(CountedNumber a, CountedNumber) { return a.counted(2); }
  friend CountedNumber operator-(CountedNumber a, CountedNumber) { return a.counted(2); }
  friend CountedNumber operator*(CountedNumber a, CountedNumber) { return a.counted(2); }
  friend CountedNumber operator*(double, CountedNumber b) { return b.counted(1); }
};

struct CountingCell {
  Counts* to;
  std::set<std::tuple<int, int, int>>* seen;

  CountedNumber operator()(int f, int di = 0, int dj = 0) const {
    seen->emplace(f, di, dj);
    return {to};
  }
  void put(int, CountedNumber) const {
    to->outputs += 1;
    to->split_reads += 1;
    to->split_writes += 1;
  }
};

/// Of a step of the point's model.
inline Counts counts_of(const Point& at) {
  Counts all;
  std::array<double, 6> places{};
  Fields<double> fields{3, 3, {}};
  for (std::size_t f = 0; f < 6; ++f) fields.at[f] = places.data() + f;  // told apart, never read
  const auto count = [&](const auto& stage) {
    std::set<std::tuple<int, int, int>> seen;
    stage.formula(CountingCell{&all, &seen});
    std::set<int> inputs;
    for (const auto& [f, di, dj] : seen) inputs.insert(f);
    all.reads += static_cast<double>(seen.size());
    all.inputs += static_cast<double>(inputs.size());
    for (const double* out : stage.view.out)
      if (out && std::ranges::find(stage.view.in, out) == std::end(stage.view.in)) all.fetched += 1;
  };
  std::visit([&](const auto& model) { model.stages(fields, false, count); },
             model_of<double>(at.text("model"), numbers_of<double>(at)));
  return all;
}

/// nx ny: the cells on the walls are among them, as the publication's N_e has it.
inline double cells_of(const Point& at) { return at.number("nx") * at.number("ny"); }

/// Arrays of nx x ny that the model keeps: gamma.
inline double arrays_of(const Point& at) {
  return std::visit([](const auto& model) { return static_cast<double>(model.arrays); },
                    model_of<double>(at.text("model"), numbers_of<double>(at)));
}

/// alpha: the flops of the publication's formulas as they are printed. Ours need two fewer a stage: Eq. 4 and
/// 5 with T's factors collected, and Eq. 7 and 8 with the differences of U and V that the pressure shares.
inline double alpha_of(const Point& at, const Counts& counts) {
  const std::string model = at.text("model");
  const bool saves = model.starts_with("heat") || model == "predictor" || model == "corrector";
  return counts.flops + (model == "ns2d" ? 4 : saves ? 2 : 0);
}

/// Of a step that is one pass a stage. `fetches`: lines that are only written are read first.
inline Work sweep_work(const Point& at, bool fetches = true) {
  const Counts counts = counts_of(at);
  const double cells = cells_of(at), array = width(at) * cells;
  return {
      .flops = counts.flops * cells,
      .bytes_read = counts.inputs * array,
      .bytes_written = counts.outputs * array,
      .write_allocate = fetches ? counts.fetched * array : 0,
      .working_set = arrays_of(at) * array,
      .element = ElementWork{
          .elements = cells, .flops = alpha_of(at, counts), .memory = counts.low(), .cached = counts.high()}};
}

inline Work one_sweep_work(const Point& at) { return sweep_work(at); }

}  // namespace uotbench::stencil
