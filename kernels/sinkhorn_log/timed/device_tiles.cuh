// Tiles, as of a matrix product: a block has `columns` outputs of `items` items, and 32 terms of their sums
// at a time in shared memory. What a thread reads of the costs it uses for up to 8 items, which it holds in
// registers. In base 2: log2 e is folded into costs and potentials on the way to shared memory. The maximum
// is raised once for 8 terms.
//
// Costs is a struct of what a kernel is given, with
//   std::size_t elements(int columns)   host, static where it can be: of shared memory
//   void begin(half, tile, first)       once: what all terms want of the outputs first, first + 1, ...
//   void load(half, tile, first, sum)   32 terms of these, beginning with `sum`; 0 beyond the last
//   void of(c, tile, s, column)         the terms s .. s + 7 of a column, negative
//   Real of_term(s), of_output(o)       what of its own a term adds, and an output, negative
#pragma once

#include "harness/worker/choices.hpp"
#include "kernels/sinkhorn_log/timed/device_batch.cuh"

namespace uotbench::sinkhorn_log {

namespace tiles {

constexpr int terms = 32;   ///< of a tile
constexpr int at_once = 8;  ///< of these
constexpr double log2_e = 1.4426950408889634, ln_2 = 0.6931471805599453;

/// Elements `first`, `first + 1`, ... of what the block copies, by this thread.
template <class Act>
__device__ void each(int count, Act act) {
  for (int t = int(threadIdx.x + blockDim.x * threadIdx.y); t < count; t += int(blockDim.x * blockDim.y))
    act(t);
}

/// The sum so far is sum 2^max.
template <class Real>
__device__ void meet(Real& largest, Real& sum, const Real (&c)[at_once], const Real* from) {
  Real value[at_once], top = largest;
#pragma unroll
  for (int k = 0; k < at_once; ++k) {
    value[k] = c[k] + from[k];
    top = max(top, value[k]);
  }
  if (top == minus_infinity<Real>) return;
  if (top > largest) {
    sum *= exp2(largest - top);
    largest = top;
  }
#pragma unroll
  for (int k = 0; k < at_once; ++k) sum += exp2(value[k] - top);
}

}  // namespace tiles

/// Block: columns x groups, each group with `held` items.
template <class Real, int held, class Costs>
__global__ void tiled_step(HalfStep<Real> half, Costs costs) {
  using namespace tiles;
  UOTBENCH_DYNAMIC_SHARED(Real, shared);
  const int columns = int(blockDim.x), items = held * int(blockDim.y);
  const int blocks = (half.outputs + columns - 1) / columns;
  const int first = columns * (int(blockIdx.x) % blocks), first_item = items * (int(blockIdx.x) / blocks);
  const int column = int(threadIdx.x), group = held * int(threadIdx.y), output = first + column;
  Real *const froms = shared, *const tile = shared + items * terms;  // froms: items x terms

  Real largest[held], sum[held];
#pragma unroll
  for (int h = 0; h < held; ++h) largest[h] = minus_infinity<Real>, sum[h] = 0;
  costs.begin(half, tile, first);
  for (int term = 0; term < half.sums; term += terms) {
    costs.load(half, tile, first, term);
    each(items * terms, [&](int t) {
      const int item = first_item + t / terms, s = term + t % terms;
      froms[t] = item < half.items && s < half.sums
                     ? half.from[std::size_t(item) * half.sums + s] * Real(log2_e) + costs.of_term(s)
                     : minus_infinity<Real>;
    });
    __syncthreads();
    for (int s = 0; output < half.outputs && s < min(terms, half.sums - term); s += at_once) {
      Real c[at_once];
      costs.of(c, tile, s, column);
#pragma unroll
      for (int h = 0; h < held; ++h)
        if (first_item + group + h < half.items) meet(largest[h], sum[h], c, froms + (group + h) * terms + s);
    }
    __syncthreads();
  }
  if (output >= half.outputs) return;
#pragma unroll
  for (int h = 0; h < held; ++h) {
    if (const int item = first_item + group + h; item < half.items)
      half.write(item, output,
                 largest[h] == minus_infinity<Real>
                     ? minus_infinity<Real>
                     : (largest[h] + log2(sum[h]) + costs.of_output(output)) * Real(ln_2));
  }
}

/// A variant is a class derived from this one, with an iterate().
template <class Real>
class TiledBatch : public DeviceBatch<Real> {
 public:
  explicit TiledBatch(const Problem<Real>& p, bool reads_costs = true)
      : DeviceBatch<Real>(p, reads_costs),
        columns_(int(p.at.integer("columns"))),
        items_(int(p.at.integer("items"))) {}

  static std::vector<Axis> axes() {
    return {Choices<32, 64, 128>::axis("columns", 32, "outputs of a block: columns, then rows"),
            Choices<1, 2, 4, 8, 16, 32, 64>::axis("items", 16, "items of a block; a thread holds up to 8")};
  }
  /// `elements`: of shared memory for the costs.
  static std::string refuse(const Point& at, double elements) {
    return shared_violation(width(at) * (at.number("items") * tiles::terms + elements),
                            "fewer columns or items");
  }

 protected:
  template <class Costs>
  void step(const HalfStep<Real>& half, const Costs& costs) {
    const auto run = [&]<int held>(std::integral_constant<int, held>) {
      const std::size_t blocks =
          std::size_t(blocks_of(half.outputs, columns_)) * blocks_of(half.items, items_);
      launch(tiled_step<Real, held, Costs>, dim3(unsigned(blocks)),
             dim3(unsigned(columns_), unsigned(items_ / held)),
             (items_ * tiles::terms + costs.elements(columns_)) * sizeof(Real), nullptr, half, costs);
    };
    Choices<1, 2, 4, 8>::with(std::min(items_, 8), run);
  }

 private:
  int columns_, items_;
};

/// Times that each half step reads the costs: once for the items of a block.
inline double passes_of_tiles(const Point& at) { return 2 * std::ceil(at.number("B") / at.number("items")); }

}  // namespace uotbench::sinkhorn_log
