// Pricing in registers, for k = 2 and 3: a tile, a handful of sources, stays in registers and meets blocks of
// targets, of which only the least value of each lane is kept. Which target it was is looked up where a block
// holds a better one, which gets rare.
#pragma once

#include <algorithm>
#include <array>
#include <experimental/simd>
#include <limits>

#include "kernels/simplex/timed/aligned.hpp"
#include "kernels/simplex/timed/price_loops.hpp"

namespace uotbench::simplex {

template <std::size_t k>
class LaneTiles {
  using Lanes = std::experimental::native_simd<double>;
  static constexpr std::size_t width = Lanes::size();
  static constexpr std::size_t block = 512;  ///< targets; (k + 1) x 4 KiB are in the first cache

 public:
  static constexpr std::size_t rows = width >= 8 ? 6 : 4;  ///< (k + 1) registers each, of 32 or 16

  explicit LaneTiles(const Clouds& clouds)
      : c_(clouds),
        x2_(squares_of(c_.X, k)),
        padded_((c_.N + block - 1) / block * block),
        y_((k + 1) * padded_) {
    for (std::size_t p = 0; p < padded_; ++p)
      for (std::size_t d = 0; d < k; ++d) y_[d * padded_ + p] = p < c_.N ? c_.Y[p * k + d] : 0;
  }

  std::size_t sources() const { return c_.M; }
  double pairs() const { return static_cast<double>(c_.M) * static_cast<double>(c_.N); }
  double bytes() const { return 8 * static_cast<double>(x2_.size() + y_.size()); }

  /// Before tiles are priced: potentials of the targets.
  void take(std::span<const double> v) {
    double* const size = &y_[k * padded_];
    for (std::size_t p = 0; p < padded_; ++p)
      size[p] = p < c_.N ? square(p) + v[p] : std::numeric_limits<double>::infinity();
  }

  /// The tile of sources from `first` on, beyond the end the last one again: for each the least
  /// n_j - 2 <x, y_j> below threshold - |x|^2 + u, and its target. One function, all of it in locals: as a
  /// struct between functions g++ 12 keeps least values on the stack (1.2 to 1.4 times as long).
  void price(std::size_t first, std::span<const double> u, double threshold, Priced& out) const {
    std::array<std::array<Lanes, k>, rows> minus_2x;
    std::array<double, rows> own, best;
    std::array<std::int32_t, rows> found;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t i = std::min(first + r, c_.M - 1);
      for (std::size_t d = 0; d < k; ++d) minus_2x[r][d] = -2 * c_.X[i * k + d];
      own[r] = x2_[i] - u[i];
      best[r] = threshold - own[r];
      found[r] = -1;
    }
    for (std::size_t begin = 0; begin < padded_; begin += block) {
      std::array<Lanes, rows> least;
      least.fill(std::numeric_limits<double>::infinity());
      for (std::size_t p = begin; p < begin + block; p += width) {
        const Lanes size = load(k, p);
        std::array<Lanes, k> y;
        for (std::size_t d = 0; d < k; ++d) y[d] = load(d, p);
#pragma GCC unroll 8
        for (std::size_t r = 0; r < rows; ++r) {
          Lanes value = size;
          for (std::size_t d = 0; d < k; ++d) value += minus_2x[r][d] * y[d];
          least[r] = min(least[r], value);
        }
      }
      for (std::size_t r = 0; r < rows; ++r)
        if (std::experimental::any_of(least[r] < best[r])) look(begin, minus_2x[r], best[r], found[r]);
    }
    for (std::size_t r = 0; r < rows && first + r < c_.M; ++r) {
      out.target[first + r] = found[r];
      out.delta[first + r] = found[r] < 0 ? 0 : best[r] + own[r];
    }
  }

 private:
  double square(std::size_t p) const {
    double sum = 0;
    for (std::size_t d = 0; d < k; ++d) sum += y_[d * padded_ + p] * y_[d * padded_ + p];
    return sum;
  }

  /// The best of a block.
  void look(std::size_t begin, const std::array<Lanes, k>& minus_2x, double& best,
            std::int32_t& found) const {
    for (std::size_t p = begin; p < begin + block; p += width) {
      Lanes value = load(k, p);
      for (std::size_t d = 0; d < k; ++d) value += minus_2x[d] * load(d, p);
      if (std::experimental::none_of(value < best)) continue;
      for (std::size_t l = 0; l < width; ++l)
        if (value[l] < best) best = value[l], found = static_cast<std::int32_t>(p + l);
    }
  }

  Lanes load(std::size_t d, std::size_t p) const {
    return Lanes(y_.data() + d * padded_ + p, std::experimental::element_aligned);
  }

  Clouds c_;
  std::vector<double> x2_;
  std::size_t padded_;
  Lines<double> y_;  ///< a coordinate after the other, then |y|^2 + v
};

template <std::size_t k>
class LanePricing final : public Pricing {
 public:
  explicit LanePricing(const Clouds& clouds) : tiles_(clouds) {}

  void price(std::span<const double> u, std::span<const double> v, double threshold, Priced& out) override {
    tiles_.take(v);
#pragma omp parallel for schedule(static)
    for (std::size_t first = 0; first < tiles_.sources(); first += tiles_.rows)
      tiles_.price(first, u, threshold, out);
    out.evaluated += tiles_.pairs();
  }
  double bytes() const override { return tiles_.bytes(); }

 private:
  LaneTiles<k> tiles_;
};

}  // namespace uotbench::simplex
