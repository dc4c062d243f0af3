// Lines whose results are stored past the caches.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "kernels/stencil/parts/cells.hpp"

namespace uotbench::stencil {

/// `to` is aligned to the vector.
template <class Real>
UOTBENCH_CELLWISE void store_past(Real* to, const Pack<Real>& pack) {
  [[maybe_unused]] constexpr std::size_t bytes = sizeof(pack);
#ifdef __AVX512F__
  if constexpr (bytes == 64) {
    __m512i bits;
    std::memcpy(&bits, &pack, bytes);
    return _mm512_stream_si512(reinterpret_cast<__m512i*>(to), bits);
  }
#endif
#ifdef __AVX__
  if constexpr (bytes == 32) {
    __m256i bits;
    std::memcpy(&bits, &pack, bytes);
    return _mm256_stream_si256(reinterpret_cast<__m256i*>(to), bits);
  }
#endif
#ifdef __SSE2__
  if constexpr (bytes == 16) {
    __m128i bits;
    std::memcpy(&bits, &pack, bytes);
    return _mm_stream_si128(reinterpret_cast<__m128i*>(to), bits);
  }
#endif
  pack.copy_to(to, std::experimental::element_aligned);
}

/// Cells whose outputs are aligned to a vector.
template <class Real>
struct CellsPast : Cells<Pack<Real>, Real> {
  UOTBENCH_CELLWISE void put(int f, const Pack<Real>& value) const {
    store_past(this->view.out[f] + this->k, value);
  }
};

/// One line, without its walls: numbers until the outputs are aligned, then vectors, then the rest.
template <class Stage>
void compute_past(const Stage& stage, std::size_t line) {
  using Real = typename Stage::Number;
  constexpr std::size_t size = Pack<Real>::size();
  const View<Real> view = stage.view;
  const auto formula = stage.formula;
  const std::size_t end = stage.lines.end(line);
  std::size_t k = stage.lines.begin(line);
  // All fields are aligned alike, so the first output's place is that of all.
  const auto aligned = [&] {
    return reinterpret_cast<std::uintptr_t>(view.out[0] + k) % sizeof(Pack<Real>) == 0;
  };
  for (; k < end && !aligned(); ++k) formula(Cells<Real, Real>{view, static_cast<std::ptrdiff_t>(k)});
  for (; k + size <= end; k += size) formula(CellsPast<Real>{{view, static_cast<std::ptrdiff_t>(k)}});
  for (; k < end; ++k) formula(Cells<Real, Real>{view, static_cast<std::ptrdiff_t>(k)});
}

/// Waits until what was stored past the caches is seen by everybody.
inline void stores_are_seen() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

/// For VariantSpec::refuse.
inline std::string without_stores_past(const Point&) {
#ifdef __SSE2__
  return "";
#else
  return "stencil/nontemporal is not for this build: it has no stores that go past the caches";
#endif
}

}  // namespace uotbench::stencil
