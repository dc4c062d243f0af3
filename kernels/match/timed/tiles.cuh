// What the rungs whose tiles are of float4 share, in addition to their idea.
#pragma once

#include "kernels/match/timed/device_sets.cuh"

namespace uotbench::match {

/// Elements 4 d .. 4 d + 3 of a point.
__device__ inline float4 load4(const float* points, std::size_t point, int D, int d) {
  return reinterpret_cast<const float4*>(points + point * D)[d];
}

__device__ inline void add_products(float& score, float4 a, float4 b) {
  score += a.x * b.x;
  score += a.y * b.y;
  score += a.z * b.z;
  score += a.w * b.w;
}

}  // namespace uotbench::match
