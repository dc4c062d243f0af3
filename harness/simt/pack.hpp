// Several elements that one instruction loads or stores. Counts are reported for the kernel's line, not by
// this file's.
#pragma once

#include "harness/simt/cuda.hpp"

namespace uotbench {

/// 1, 2 or 4 of 4 bytes, for example: up to 16 bytes are one access.
template <class T, int count>
struct alignas(sizeof(T) * count) Pack {
  T of[count];
};

/// V is a Pack of T; `from` and `to` are aligned to it.
template <class V, class T>
__device__ __forceinline__ V load(const T* from) {
  return *reinterpret_cast<const V*>(from);
}
template <class V, class T>
__device__ __forceinline__ void store(T* to, const V& value) {
  *reinterpret_cast<V*>(to) = value;
}

}  // namespace uotbench
