// Cells of K as bfloat16, half the bytes of f32: 8 bits of mantissa, and float's exponent, so that small reg
// flushes nothing, as half's would. Arithmetic is in float. A cell is off by up to 2^-8 of itself, 1.4e-3 on
// average.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "kernels/uot/parts/fused_pass.hpp"

namespace uotbench::uot {

struct Bfloat16 {
  std::uint16_t bits;
};

/// To the nearest, ties to even. K is finite and not negative.
inline Bfloat16 rounded(float cell) {
  const auto bits = std::bit_cast<std::uint32_t>(cell);
  return {static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

inline float value(Bfloat16 cell) { return std::bit_cast<float>(std::uint32_t{cell.bits} << 16); }

/// In blocks of two vectors whose cells take turns: a word of 32 bits holds a cell of the first in its lower
/// half and one of the second in its upper half, which a shift and a mask turn into floats. Cells in C order
/// would have to be spread over wider words first. What fills no block is in C order.
struct Bfloat16Cells {
  using Stored = Bfloat16;
  using Pack = simd::native_simd<float>;
  /// As one load, of no more alignment than a cell has. By memcpy AVX2 takes two, which wait for one another:
  /// 7.6 ms instead of 0.9.
  using Words [[gnu::vector_size(sizeof(Pack)), gnu::aligned(2), gnu::may_alias]] = std::uint32_t;
  static constexpr std::size_t packs = 2, block = packs * Pack::size();

  template <class V>
  static auto load(const Bfloat16* cells) {
    if constexpr (V::size() == 1) {
      return std::array<V, 1>{value(*cells)};
    } else {
      const Words words = *reinterpret_cast<const Words*>(cells);
      return std::array<V, 2>{std::bit_cast<V>(words << 16), std::bit_cast<V>(words & 0xffff0000u)};
    }
  }
  template <class V>
  static V scaled(const V& cell, const V&, const V& u, const Bfloat16*) {
    return cell * u;
  }

  /// A row of `count` cells, rounded. Returns by how much its dot with v is more than that of `from`.
  static float round(const float* from, Bfloat16* to, std::size_t count, const float* v) {
    Pack more = 0;
    std::size_t j = 0;
    for (; j + block <= count; j += block) {
      const Words low = words(from + j), high = words(from + j + Pack::size());
      *reinterpret_cast<Words*>(to + j) = low >> 16 | (high & 0xffff0000u);
      more += off(low, from + j) * Pack(v + j, simd::element_aligned) +
              off(high, from + j + Pack::size()) * Pack(v + j + Pack::size(), simd::element_aligned);
    }
    float rest = 0;
    for (; j < count; ++j) {
      to[j] = rounded(from[j]);
      rest += (value(to[j]) - from[j]) * v[j];
    }
    return simd::reduce(more) + rest;
  }

  static Buffer<Bfloat16> copy(const Problem<float>& p) {
    Buffer<Bfloat16> K(p.M * p.N);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p.M; ++i) round(p.row(i), K.data() + i * p.N, p.N, p.b.data());
    return K;
  }

 private:
  /// A vector of cells, as rounded() leaves them in the upper half of a word.
  static Words words(const float* from) {
    const Words bits = *reinterpret_cast<const Words*>(from);
    return bits + 0x7fff + (bits >> 16 & 1);
  }
  static Pack off(Words rounded, const float* from) {
    return std::bit_cast<Pack>(rounded & 0xffff0000u) - Pack(from, simd::element_aligned);
  }
};

}  // namespace uotbench::uot
