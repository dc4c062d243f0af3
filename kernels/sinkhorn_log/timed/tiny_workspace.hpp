// What kernels of tiny matrices keep: an item a lane.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "kernels/common/fast_exp.hpp"
#include "kernels/common/fast_log.hpp"
#include "kernels/sinkhorn_log/problem.hpp"
#include "kernels/sinkhorn_log/timed/transpose.hpp"

namespace uotbench::sinkhorn_log {

inline constexpr std::size_t most_lines = 32;

/// The k-th vector of a group of items.
template <class Real>
std::experimental::native_simd<Real> lanes_at(const Real* group, std::size_t k) {
  using Pack = std::experimental::native_simd<Real>;
  return Pack(group + k * Pack::size(), std::experimental::vector_aligned);
}
template <class Real>
void put_lanes(Real* group, std::size_t k, std::experimental::native_simd<Real> value) {
  value.copy_to(group + k * value.size(), std::experimental::vector_aligned);
}

/// An item a lane: the vectors of a group of items side by side.
template <class Real>
class TinyLanes {
  using Pack = std::experimental::native_simd<Real>;
  static constexpr std::size_t W = Pack::size();

 public:
  TinyLanes(std::size_t items, std::size_t size)
      : items_(items), size_(size), cells_((items + W - 1) / W * W * size) {}

  Real* group(std::size_t g) { return cells_.data() + g * size_ * W; }
  /// act(item, k, its cell): beyond the last item that one again.
  template <class Act>
  void each(Act act) {
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < cells_.size() / size_; ++b)
      for (std::size_t k = 0; k < size_; ++k)
        act(std::min(b, items_ - 1), k, cells_[(b / W * size_ + k) * W + b % W]);
  }

 private:
  std::size_t items_, size_;
  Buffer<Real> cells_;
};

/// What a thread works with on a group of items.
template <class Real>
struct TinyWorkspace {
  using Pack = std::experimental::native_simd<Real>;
  static constexpr std::size_t W = Pack::size();
  static constexpr Real none = minus_infinity<Real>;

  TinyWorkspace(std::size_t rows, std::size_t columns)
      : M(rows), N(columns), exponents(M * N), kernel(M * N) {}

  /// The group's exponents, the largest of each row 0.
  void load(const Problem<Real>& p, std::size_t g) {
    const Real scale = -Real(std::numbers::log2e) / p.reg;
    const std::size_t cells = p.M * p.N;
    for (std::size_t first = 0; first < cells; first += W) {
      const std::size_t here = std::min(W, cells - first);
      std::array<Pack, W> block;
      for (std::size_t k = 0; k < W; ++k) {
        const Real* const from = p.costs_of(std::min(g * W + k, p.B - 1)) + first;
        if (here == W) {
          block[k].copy_from(from, std::experimental::element_aligned);
        } else {
          std::array<Real, W> rest{};
          std::copy_n(from, here, rest.begin());
          block[k].copy_from(rest.data(), std::experimental::element_aligned);
        }
      }
      transpose(block);
      for (std::size_t k = 0; k < here; ++k) exponents[first + k] = block[k] * scale;
    }
    range = 0;
    for (std::size_t i = 0; i < p.M; ++i) {
      Pack* const row = exponents.data() + i * p.N;
      Pack most = row[0], least = row[0];
      for (std::size_t j = 1; j < p.N; ++j) {
        most = max(most, row[j]);
        least = min(least, row[j]);
      }
      for (std::size_t j = 0; j < p.N; ++j) row[j] -= most;
      shifts[i] = most;
      range = max(range, most - least);
    }
  }

  /// u, at most 1, and v, where its logarithms are given; false where the scalings could leave the type's
  /// range.
  bool begin(const Real* log_u, const Real* log_v, Real masses) {
    Pack most = none, least = -none;
    for (std::size_t i = 0; i < M; ++i) {
      u[i] = lanes_at(log_u, i) + shifts[i];
      most = max(most, u[i]);
      Pack finite = u[i];
      where(finite == none, finite) = -none;
      least = min(least, finite);
    }
    constexpr Real room = Real(-std::numeric_limits<Real>::min_exponent - 2 * 5);  // 5: log2 of most_lines
    // Twice the masses: kernels and scalings may be multiplied by them and divided.
    fast = all_of(2 * max(range + 2 * masses, most - least) + 2 * masses < room);
    if (!fast) return false;
    less = most;
    for (std::size_t i = 0; i < M; ++i) u[i] = exp2_or_zero(u[i] - most);
    if (log_v)
      for (std::size_t j = 0; j < N; ++j) v[j] = exp2_or_zero(lanes_at(log_v, j) + most);
    return true;
  }

  void end(const Pack* u, const Pack* v, Real* log_u, Real* log_v) const {
    const auto logs = [](Pack scaling, Pack more) {
      Pack log = fast_log2(scaling) + more;
      where(scaling == 0, log) = none;
      return log;
    };
    for (std::size_t i = 0; i < M; ++i) put_lanes(log_u, i, logs(u[i], less - shifts[i]));
    for (std::size_t j = 0; j < N; ++j) put_lanes(log_v, j, logs(v[j], -less));
  }

  std::size_t M, N;
  std::vector<Pack> exponents, kernel;  ///< M x N
  std::array<Pack, most_lines> shifts;  ///< log2 of what the kernel's rows were multiplied by
  std::array<Pack, most_lines> u, v, sums;
  Pack range;        ///< of the exponents, in each item
  Pack less;         ///< log2 of what u was divided by and v multiplied
  bool fast = true;  ///< scalings stay in the type's range
};

}  // namespace uotbench::sinkhorn_log
