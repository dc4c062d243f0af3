// The models' work. Flops, reads and writes are counted by calling each formula once with a cell that counts.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "harness/worker/typed_variant.hpp"
#include "kernels/stencil/shared/models.hpp"

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

  UOTBENCH_CELLWISE CountedNumber counted(double operands) const {
    to->flops += 1;
    to->split_reads += operands;
    to->split_writes += 1;
    return *this;
  }
  UOTBENCH_CELLWISE friend CountedNumber operator+(CountedNumber a, CountedNumber) { return a.counted(2); }
  UOTBENCH_CELLWISE friend CountedNumber operator-(CountedNumber a, CountedNumber) { return a.counted(2); }
  UOTBENCH_CELLWISE friend CountedNumber operator*(CountedNumber a, CountedNumber) { return a.counted(2); }
  UOTBENCH_CELLWISE friend CountedNumber operator*(double, CountedNumber b) { return b.counted(1); }
};

/// Which inputs a formula reads, at which offsets of -1, 0 and 1.
struct Seen {
  bool at[6][3][3] = {};

  /// Row offsets, first to last, that input f is read at; -2 and -2: none.
  std::pair<int, int> rows(int f) const {
    std::pair<int, int> rows{-2, -2};
    for (int di = -1; di <= 1; ++di)
      for (int dj = -1; dj <= 1; ++dj)
        if (at[f][di + 1][dj + 1]) rows = {rows.first == -2 ? di : rows.first, di};
    return rows;
  }
  double elements() const {
    double sum = 0;
    for (const auto& input : at)
      for (const auto& row : input)
        for (const bool one : row) sum += one;
    return sum;
  }
  double inputs() const {
    double sum = 0;
    for (int f = 0; f < 6; ++f) sum += rows(f).first != -2;
    return sum;
  }
};

struct CountingCell {
  Counts* to;
  Seen* seen;

  UOTBENCH_CELLWISE CountedNumber operator()(int f, int di = 0, int dj = 0) const {
    seen->at[f][di + 1][dj + 1] = true;
    return {to};
  }
  UOTBENCH_CELLWISE void put(int, CountedNumber) const {
    to->outputs += 1;
    to->split_reads += 1;
    to->split_writes += 1;
  }
};

/// Arrays that a stage writes and does not read.
template <class Real>
double fetched_by(const View<Real>& view) {
  double sum = 0;
  for (const Real* out : view.out)
    if (out && std::ranges::find(view.in, out) == std::end(view.in)) sum += 1;
  return sum;
}

/// Calls act(stage, what its formula reads) for each stage of a step; all is counted into `counts`.
template <class Act>
void count_stages(const Point& at, Counts& counts, const Act& act) {
  std::array<double, 6> places{};
  Fields<double> fields{3, 3, {}};
  for (std::size_t f = 0; f < 6; ++f) fields.at[f] = places.data() + f;  // distinguished, never read
  const auto count = [&](const auto& stage) {
    Seen seen;
    stage.formula(CountingCell{&counts, &seen});
    counts.reads += seen.elements();
    counts.inputs += seen.inputs();
    counts.fetched += fetched_by(stage.view);
    act(stage, seen);
  };
  std::visit([&](const auto& model) { model.stages(fields, false, count); },
             model_of<double>(at.text("model"), numbers_of<double>(at)));
}

/// Of a step of the point's model.
inline Counts counts_of(const Point& at) {
  Counts all;
  count_stages(at, all, [](const auto&, const Seen&) {});
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

/// What stores do with lines that are only written: read them first, write them whole, bypass the caches.
enum class Stores { fetch, whole_lines, nontemporal };

/// Of a step that is one pass a stage.
inline Work sweep_work(const Point& at, Stores stores = Stores::fetch) {
  const Counts counts = counts_of(at);
  const double cells = cells_of(at), array = width(at) * cells;
  const double unread = counts.fetched * array;
  return {
      .flops = counts.flops * cells,
      .bytes_read = counts.inputs * array,
      .bytes_written = counts.outputs * array,
      .write_allocate = stores == Stores::fetch ? unread : 0,
      .bytes_nontemporal = stores == Stores::nontemporal ? unread : 0,
      .working_set = arrays_of(at) * array,
      .element = ElementWork{
          .elements = cells, .flops = alpha_of(at, counts), .memory = counts.low(), .cached = counts.high()}};
}

inline Work one_sweep_work(const Point& at) { return sweep_work(at); }

/// Of a step that is one pass an operation.
inline Work split_work(const Point& at, Stores stores) {
  Work work = sweep_work(at, stores);
  const Counts counts = counts_of(at);
  const double array = width(at) * cells_of(at);
  work.bytes_read = counts.split_reads * array;
  work.bytes_written = counts.split_writes * array;
  if (stores == Stores::fetch) work.write_allocate = work.bytes_written;
  return work;
}

/// Temporary arrays that such a step holds at once, at most.
inline constexpr double most_temporaries = 9;

}  // namespace uotbench::stencil
