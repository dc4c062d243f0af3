// logsumexp of many fields over one cost as a matrix product, a field a lane:
//   out_j = log sum_i exp(f_i - c_ij) = max f + log sum_i exp(-c_ij) exp(f_i - max f),
// so that MN exponentials are made once and each field costs one multiply-add a pair. What it cannot hold, a
// sum of terms that underflow, is found by a bound and made again by max-then-sum. All is in base 2.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <experimental/simd>
#include <limits>

#include "harness/worker/buffer.hpp"
#include "harness/worker/parallel.hpp"
#include "kernels/common/fast_exp.hpp"
#include "kernels/common/fast_log.hpp"
#include "kernels/sinkhorn_log/parts/room.hpp"

namespace uotbench::sinkhorn_log {

/// rows x count numbers, of which those of a row are side by side in vectors: two vectors of each row, then
/// the next two. Rows are added until whole blocks of the product are full; lanes, until vectors are.
template <class Real>
class Lanes {
 public:
  using Pack = std::experimental::native_simd<Real>;
  static constexpr std::size_t W = Pack::size();
  static constexpr std::size_t block = 12;    ///< rows and columns of a block of the product
  static constexpr std::size_t together = 2;  ///< vectors that share a load of the cost

  Lanes(std::size_t rows, std::size_t count)
      : rows_(rows),
        padded_((rows + block - 1) / block * block),
        vectors_((count + W - 1) / W),
        count_(count),
        cells_(padded_ * vectors_ * W) {
    std::ranges::fill(cells_, -std::numeric_limits<Real>::infinity());
  }

  std::size_t rows() const { return rows_; }
  std::size_t padded() const { return padded_; }
  std::size_t vectors() const { return vectors_; }
  std::size_t count() const { return count_; }
  std::size_t chunks() const { return (vectors_ + together - 1) / together; }
  /// Vectors of a chunk.
  std::size_t width(std::size_t chunk) const { return std::min(together, vectors_ - chunk * together); }
  /// Row after row.
  Real* chunk(std::size_t c) { return cells_.data() + c * together * W * padded_; }
  const Real* chunk(std::size_t c) const { return cells_.data() + c * together * W * padded_; }
  const Real* at(std::size_t row, std::size_t vector) const {
    const std::size_t c = vector / together;
    return chunk(c) + (row * width(c) + vector % together) * W;
  }
  Real* at(std::size_t row, std::size_t vector) {
    return const_cast<Real*>(std::as_const(*this).at(row, vector));
  }
  Real& lane(std::size_t row, std::size_t k) { return at(row, k / W)[k % W]; }
  Real lane(std::size_t row, std::size_t k) const { return at(row, k / W)[k % W]; }
  Pack pack(std::size_t row, std::size_t vector) const {
    return Pack(at(row, vector), std::experimental::vector_aligned);
  }
  void put(std::size_t row, std::size_t vector, Pack value) {
    value.copy_to(at(row, vector), std::experimental::vector_aligned);
  }

 private:
  std::size_t rows_, padded_, vectors_, count_;
  Buffer<Real> cells_;
};

/// For logsumexp(): the index that it sums over.
inline constexpr bool sum_rows = true, sum_columns = false;

template <class Real>
class LaneProduct {
  using Pack = typename Lanes<Real>::Pack;
  static constexpr std::size_t W = Pack::size(), block = Lanes<Real>::block;
  /// Columns of a tile: 12 of 2 vectors fill 24 of 32 registers, 6 fill 12 of 16.
  static constexpr int tile = sizeof(Pack) == 64 ? 12 : 6;
  static constexpr auto aligned = std::experimental::vector_aligned;
  static constexpr Real none = -std::numeric_limits<Real>::infinity();

 public:
  /// exponent(i, j), in double: log2 of the kernel's entry.
  template <class Exponent>
  LaneProduct(std::size_t rows, std::size_t columns, Exponent exponent)
      : rows_(rows),
        columns_(columns),
        room_(std::max(rows, columns)),
        down_((rows + block - 1) / block),
        across_((columns + block - 1) / block),
        exponents_(down_ * across_ * block * block),
        by_rows_(exponents_.size()),
        by_columns_(exponents_.size()) {
    double largest = std::numeric_limits<double>::lowest();
    const auto value_at = [&](std::size_t i, std::size_t j) {
      return i < rows && j < columns ? exponent(i, j) : static_cast<double>(none);
    };
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (std::size_t i = 0; i < down_ * block; ++i)
      for (std::size_t j = 0; j < across_ * block; ++j) {
        const double value = value_at(i, j);
        exponents_[place(i, j)] = static_cast<Real>(value);
        largest = std::max(largest, value);
      }
    largest_ = std::ceil(largest);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < down_ * block; ++i)
      for (std::size_t j = 0; j < across_ * block; ++j)
        by_rows_[place(i, j)] = by_columns_[place_by_columns(i, j)] =
            without_subnormals(static_cast<Real>(std::exp2(value_at(i, j) - largest_ + room_.bits)));
  }

  /// Elements held other than the fields.
  static double elements(double rows, double columns) {
    const double whole = static_cast<double>(block);
    return 3 * std::ceil(rows / whole) * std::ceil(columns / whole) * whole * whole;
  }

  /// sum_rows: take(j, vector, log2 sum_i 2^(exponent_ij + from_i)) for all columns j and vectors of fields;
  /// sum_columns: the other way round. `weights` has the shape of `from`. Returns what was made again.
  template <bool over_rows, class Take>
  Again logsumexp(const Lanes<Real>& from, Lanes<Real>& weights, Buffer<Real>& largest, Take take) {
    const std::size_t outputs = over_rows ? columns_ : rows_, panels = (outputs + block - 1) / block;
    Again again;
#pragma omp parallel reduction(+ : again) if (from.rows() * outputs * from.vectors() >= worth_a_team)
    {
#pragma omp for schedule(static)
      for (std::size_t v = 0; v < from.vectors(); ++v) {
        Pack most = none;
        for (std::size_t i = 0; i < from.rows(); ++i) most = max(most, from.pack(i, v));
        most.copy_to(largest.data() + v * W, aligned);
      }
#pragma omp for collapse(2) schedule(static)
      for (std::size_t v = 0; v < from.vectors(); ++v)
        for (std::size_t first = 0; first < from.padded(); first += block) {
          const Pack shift = finite(Pack(largest.data() + v * W, aligned));
          for (std::size_t i = first; i < first + block; ++i)
            weights.put(i, v, room_.weight(from.pack(i, v) - shift));
        }
#pragma omp for collapse(2) schedule(static)
      for (std::size_t c = 0; c < from.chunks(); ++c)
        for (std::size_t p = 0; p < panels; ++p)
          for (std::size_t first = 0; first < block; first += tile) {
            if (p * block + first >= outputs) break;
            again += from.width(c) == 2 ? tile_of<over_rows, 2>(c, p, first, from, weights, largest, take)
                                        : tile_of<over_rows, 1>(c, p, first, from, weights, largest, take);
          }
    }
    return again;
  }

 private:
  /// Of the entry (i, j): blocks row by row, and so within a block, which serves sums over both.
  std::size_t place(std::size_t i, std::size_t j) const {
    return ((i / block * across_ + j / block) * block + i % block) * block + j % block;
  }
  static Real without_subnormals(Real x) { return x < std::numeric_limits<Real>::min() ? Real(0) : x; }
  /// The same for blocks column by column. The kernel is there in both orders, so that a sum's blocks follow
  /// each other: 200 KB apart they took twice as long (4096 x 4096, one item).
  std::size_t place_by_columns(std::size_t i, std::size_t j) const {
    return ((j / block * down_ + i / block) * block + i % block) * block + j % block;
  }
  static Pack finite(Pack x) {
    where(x == none, x) = 0;
    return x;
  }

  template <bool over_rows, int vectors, class Take>
  Again tile_of(std::size_t chunk, std::size_t panel, std::size_t first, const Lanes<Real>& from,
                const Lanes<Real>& weights, const Buffer<Real>& largest, Take& take) const {
    Pack sums[tile][vectors];
    const Real* const kernel = over_rows ? &by_columns_[place_by_columns(0, panel * block + first)]
                                         : &by_rows_[place(panel * block + first, 0)];
    multiply<over_rows, vectors>(kernel, weights.padded() / block, weights.chunk(chunk), sums);
    Again again;
    for (int v = 0; v < vectors; ++v) {
      const std::size_t vector = chunk * Lanes<Real>::together + static_cast<std::size_t>(v);
      const Pack shift(largest.data() + vector * W, aligned);
      const std::size_t outputs = over_rows ? columns_ : rows_, begin = panel * block + first;
      for (std::size_t t = 0; t < std::min<std::size_t>(tile, outputs - begin); ++t) {
        const Pack sum = sums[t][v];
        Pack result = shift + static_cast<Real>(largest_) + fast_log2(sum, 2 * room_.bits);
        const auto lost = !(sum >= room_.least) && shift > none;
        if (any_of(lost)) {
          where(lost, result) = max_then_sum<over_rows>(begin + t, vector, from);
          again.exponentials += W * from.rows();
          for (std::size_t k = 0; k < W; ++k) again.sums += lost[k] && vector * W + k < from.count();
        }
        take(begin + t, vector, result);
      }
    }
    return again;
  }

  /// First of `tile` columns (rows) of the kernel, and the way from block to block of what is summed.
  template <bool over_rows>
  std::size_t start(std::size_t panel, std::size_t first) const {
    return over_rows ? place(0, panel * block + first) : place(panel * block + first, 0);
  }
  template <bool over_rows>
  std::size_t stride() const {
    return block * block * (over_rows ? across_ : 1);
  }

  /// Sums of a few thousand terms are made of sums of `run` blocks: one after another they would lose digits.
  template <bool over_rows, int vectors>
  [[gnu::noinline]] void multiply(const Real* kernel, std::size_t blocks, const Real* weights,
                                  Pack (&total)[tile][vectors]) const {
    constexpr std::size_t run = 32, line = 64 / sizeof(Real);
    for (auto& row : total)
      for (Pack& each : row) each = 0;
    while (blocks > 0) {
      const std::size_t here = std::min(run, blocks);
      Pack sums[tile][vectors] = {};
      for (std::size_t b = 0; b < here; ++b, kernel += block * block)
        for (std::size_t k = 0; k < block; ++k, weights += vectors * W) {
          __builtin_prefetch(kernel + block * block + k * line);
          Pack fields[vectors];
#pragma GCC unroll 2
          for (int v = 0; v < vectors; ++v)
            fields[v].copy_from(weights + static_cast<std::size_t>(v) * W, aligned);
#pragma GCC unroll 12
          for (int t = 0; t < tile; ++t) {
            const auto u = static_cast<std::size_t>(t);
            const Pack entry = over_rows ? kernel[k * block + u] : kernel[u * block + k];
#pragma GCC unroll 2
            for (int v = 0; v < vectors; ++v) sums[t][v] += entry * fields[v];
          }
        }
      for (int t = 0; t < tile; ++t)
        for (int v = 0; v < vectors; ++v) total[t][v] += sums[t][v];
      blocks -= here;
    }
  }

  template <bool over_rows>
  Pack max_then_sum(std::size_t output, std::size_t vector, const Lanes<Real>& from) const {
    const auto each = [&](auto act) {
      const Real* entry = exponents_.data() + start<over_rows>(output / block, output % block);
      for (std::size_t i = 0; i < from.rows(); i += block, entry += stride<over_rows>())
        for (std::size_t k = 0; k < block; ++k)
          act(Pack(entry[k * (over_rows ? block : 1)]) + from.pack(i + k, vector));
    };
    Pack most = none, sum = 0;
    each([&](Pack term) { most = max(most, term); });
    const Pack shift = finite(most);
    each([&](Pack term) { sum += exp2_or_zero(term - shift); });
    return most + fast_log2(sum);
  }

  std::size_t rows_, columns_;
  Room<Real> room_;
  std::size_t down_, across_;  ///< of blocks: down_ x across_
  Buffer<Real> exponents_, by_rows_, by_columns_;
  double largest_ = 0;  ///< exponent, rounded up to an integer
};

}  // namespace uotbench::sinkhorn_log
