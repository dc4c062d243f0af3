// The bits on which misprediction branches: what the kernel and its judge have to agree on.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace uotbench::ceiling {

/// Branches of one iteration, each with a bit of its own: predictors learn sequences of some thousand random
/// outcomes when they are repeated (Lemire, "Benchmarking is hard: processors learn to predict branches",
/// 2019).
inline constexpr std::size_t bits_tested = 1 << 19;

/// y is the number of ones modulo this: exact in f32.
inline constexpr std::size_t ones_modulo = 1 << 20;

/// The same everywhere.
inline std::vector<unsigned char> random_bytes() {
  std::mt19937_64 random(1);
  std::vector<unsigned char> bytes(bits_tested / 8);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random() >> 56);
  return bytes;
}

}  // namespace uotbench::ceiling
