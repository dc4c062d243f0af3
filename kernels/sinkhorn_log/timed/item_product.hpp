// logsumexp of a few fields over one cost as matrix-vector products with K_ij = 2^room 2^(exponent_ij -
// largest), of which one copy serves both half steps: dot products with its rows, and sums of its rows. What
// lane_product.hpp says of underflow holds here, too; sums that are lost are left to the caller.
#pragma once

#include <omp.h>

#include "harness/worker/parallel.hpp"
#include "kernels/sinkhorn_log/timed/across.hpp"
#include "kernels/sinkhorn_log/timed/room.hpp"
#include "kernels/sinkhorn_log/timed/terms.hpp"

namespace uotbench::sinkhorn_log {

template <class Real>
class ItemProduct {
  using Pack = PackOf<Real>;
  static constexpr std::size_t W = Pack::size(), R = 8;  ///< rows in work at a time
  static constexpr auto anywhere = simd::element_aligned;

 public:
  /// exponent(i, j), in double: log2 of the kernel's entry. `items`: how many fields there will be.
  template <class Exponent>
  ItemProduct(std::size_t rows, std::size_t columns, std::size_t items, Exponent exponent)
      : room(std::max(rows, columns)),
        rows_((rows + R - 1) / R * R),
        columns_((columns + W - 1) / W * W),
        items_(items),
        threads_(static_cast<std::size_t>(omp_get_max_threads())),
        kernel_(rows_ * columns_),
        weights_(items * std::max(rows_, columns_)),
        parts_(threads_ * items * columns_) {
    double most = std::numeric_limits<double>::lowest();
#pragma omp parallel for schedule(static) reduction(max : most)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) most = std::max(most, exponent(i, j));
    largest = std::ceil(most);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j) {
        const double t = i < rows && j < columns ? exponent(i, j) - largest + room.bits : -1e9;
        const auto entry = static_cast<Real>(std::exp2(t));
        kernel_[i * columns_ + j] = entry < std::numeric_limits<Real>::min() ? Real(0) : entry;
      }
  }

  /// Elements held.
  static double elements(double rows, double columns, double items, double threads) {
    return (rows + R) * (columns + W) + items * (std::max(rows, columns) + W + threads * (columns + W));
  }

  /// To be called by all threads of a team, with the natural logarithms from_i of item b at from + b count.
  /// take(b, j, many, Pack sums, shift) gets the sums of columns j .. j+many-1: sum_i 2^exponent_ij
  /// exp(from_i) is exp(shift) 2^(largest - 2 room.bits) times that. A shift is -inf where an item's fields
  /// all are.
  template <class Take>
  void over_rows(const Real* from, std::size_t count, Real* shifts, Take take) {
    weigh(from, count, rows_, shifts);
    const auto mine = static_cast<std::size_t>(omp_get_thread_num());
    const auto team = static_cast<std::size_t>(omp_get_num_threads());
    Real* const parts = parts_.data() + mine * items_ * columns_;
    std::fill_n(parts, items_ * columns_, Real(0));
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < rows_; i += R) {
      std::size_t b = 0;
      for (; b + 2 <= items_; b += 2) add_rows<2>(i, b, parts);
      for (; b < items_; ++b) add_rows<1>(i, b, parts);
    }
#pragma omp for collapse(2) schedule(static)
    for (std::size_t b = 0; b < items_; ++b)
      for (std::size_t j = 0; j < columns_; j += W) {
        Pack sums = 0;
        for (std::size_t t = 0; t < team; ++t)
          sums += Pack(parts_.data() + (t * items_ + b) * columns_ + j, anywhere);
        take(b, j, W, sums, shifts[b]);
      }
  }

  /// The same over columns, for rows.
  template <class Take>
  void over_columns(const Real* from, std::size_t count, Real* shifts, Take take) {
    weigh(from, count, columns_, shifts);
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < rows_; i += R) {
      std::size_t b = 0;
      for (; b + 2 <= items_; b += 2) dots<2>(i, b, shifts, take);
      for (; b < items_; ++b) dots<1>(i, b, shifts, take);
    }
  }

  const Room<Real> room;
  double largest = 0;  ///< exponent, rounded up to an integer

 private:
  /// Weights of `count` fields an item, and 0 up to `padded`.
  void weigh(const Real* from, std::size_t count, std::size_t padded, Real* shifts) {
#pragma omp for schedule(static)
    for (std::size_t b = 0; b < items_; ++b) {
      const Real* const fields = from + b * count;
      Pack most = minus_infinity<Real>;
      for (std::size_t i = 0; i < count; i += W)
        most = max(most, load_part(fields + i, count - i, minus_infinity<Real>));
      shifts[b] = hmax(most);
      const Real shift = shifts[b] > minus_infinity<Real> ? shifts[b] : Real(0);
      Real* const weights = weights_.data() + b * padded;
      for (std::size_t i = 0; i < padded; i += W) {
        const Pack field =
            i < count ? load_part(fields + i, count - i, minus_infinity<Real>) : minus_infinity<Real>;
        store_part(room.weight(to_base2<Real> * (field - shift)), weights + i, padded - i);
      }
    }
  }
  static void store_part(Pack from, Real* to, std::size_t count) {
    if (count >= W) return from.copy_to(to, anywhere);
    Real lanes[W];
    from.copy_to(lanes, anywhere);
    std::copy_n(lanes, count, to);
  }

  /// Rows i .. i+7, weighted, to the sums of `many` items from b on.
  template <std::size_t many>
  void add_rows(std::size_t i, std::size_t b, Real* parts) const {
    const Real* const kernel = kernel_.data() + i * columns_;
    Pack weights[many][R];
    for (std::size_t n = 0; n < many; ++n)
      for (std::size_t r = 0; r < R; ++r) weights[n][r] = weights_[(b + n) * rows_ + i + r];
    for (std::size_t j = 0; j < columns_; j += W) {
      Pack sums[many][2] = {};
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r) {
        const Pack entry(kernel + r * columns_ + j, anywhere);
#pragma GCC unroll 2
        for (std::size_t n = 0; n < many; ++n) sums[n][r % 2] += entry * weights[n][r];
      }
      for (std::size_t n = 0; n < many; ++n) {
        Real* const to = parts + (b + n) * columns_ + j;
        (Pack(to, anywhere) + (sums[n][0] + sums[n][1])).copy_to(to, anywhere);
      }
    }
  }

  template <std::size_t many, class Take>
  void dots(std::size_t i, std::size_t b, const Real* shifts, Take& take) const {
    const Real* const kernel = kernel_.data() + i * columns_;
    Pack sums[many][R] = {};
    for (std::size_t j = 0; j < columns_; j += W) {
      Pack weights[many];
      for (std::size_t n = 0; n < many; ++n)
        weights[n].copy_from(weights_.data() + (b + n) * columns_ + j, anywhere);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r) {
        const Pack entry(kernel + r * columns_ + j, anywhere);
#pragma GCC unroll 2
        for (std::size_t n = 0; n < many; ++n) sums[n][r] += entry * weights[n];
      }
    }
    for (std::size_t n = 0; n < many; ++n) {
      Real all[R];
      across(sums[n], Plus(), all);
      for (std::size_t k = 0; k < R; k += W)
        take(b + n, i + k, std::min(R, W), load_part(all + k, R - k, Real(1)), shifts[b + n]);
    }
  }

  std::size_t rows_, columns_, items_, threads_;  ///< padded
  Buffer<Real> kernel_, weights_;
  Buffer<Real> parts_;  ///< of a thread and an item: columns' sums over its rows
};

}  // namespace uotbench::sinkhorn_log
