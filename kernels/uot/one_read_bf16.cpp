// One read of K (one_read.hpp) as bfloat16, half the bytes: 8 bits of mantissa, and float's exponent, so that
// small reg flushes nothing, as half's would. Arithmetic is in float. A cell is off by up to 2^-8 of itself,
// 1.4e-3 on average. So far off are the plan's cells, too: it is that of the rounded K, the one that somebody
// who keeps bfloat16 can form. In u, v and the marginals the errors average out.
#include <bit>

#include "kernels/uot/parts/one_read.hpp"

namespace uotbench::uot {
namespace {

struct Bfloat16 {
  std::uint16_t bits;
};

/// To the nearest, ties to even. K is finite and not negative.
Bfloat16 rounded(float cell) {
  const auto bits = std::bit_cast<std::uint32_t>(cell);
  return {static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

float value(Bfloat16 cell) { return std::bit_cast<float>(std::uint32_t{cell.bits} << 16); }

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

  static Buffer<Bfloat16> copy(const Problem<float>& p) {
    Buffer<Bfloat16> K(p.M * p.N);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p.M; ++i) {
      const float* const from = p.row(i);
      Bfloat16* const to = K.data() + i * p.N;
      std::size_t j = 0;
      for (; j + block <= p.N; j += block)
        for (std::size_t k = 0; k < block; ++k)
          to[j + k] = rounded(from[j + k / packs + k % packs * Pack::size()]);
      for (; j < p.N; ++j) to[j] = rounded(from[j]);
    }
    return K;
  }
};

struct OneReadBf16 : ReadOnce<float, Bfloat16Cells> {
  explicit OneReadBf16(const Problem<float>& problem) : ReadOnce(problem, Bfloat16Cells::copy(problem)) {}

  void finish(Result<float>& out) {
    const auto &u = scalings_.u, &v = scalings_.v;
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < p_.M; ++i)
      for (std::size_t j = 0; j < p_.N; ++j)
        out.plan[i * p_.N + j] = u[i] * value(rounded(p_.row(i)[j])) * v[j];
    out.write_scalings(u, v);
  }
};

/// R: two bytes per cell; two products and two additions.
Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = 2 * cells(at)}; }

std::string refuse(const Point& at) {
  if (cells(at) < 16)
    return "cells are off by up to 2^-8, which few do not average out: M N must be 16 or more";
  return "";
}

const Variant<OneReadBf16, void> variant{{.name = "uot/one_read_bf16",
                                          .summary = "one_read of K as bfloat16 (2 MN bytes moved)",
                                          .axes = one_read_axes(),
                                          .work = work,
                                          .refuse = refuse,
                                          .tolerance = 2e-3,
                                          .matrices = .5}};

}  // namespace
}  // namespace uotbench::uot
