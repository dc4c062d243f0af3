// Random numbers that are the same on every machine, as the distributions of <random> are not.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace uotbench {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}

  /// Within [0, 1).
  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
  bool chance(double p) { return uniform() < p; }
  /// 0 to n - 1; n is small beside 2^53.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform() * static_cast<double>(n)); }
  /// Of mean 0 and standard deviation 1 (Box and Muller, Annals of Mathematical Statistics 29, 1958).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  double exponential() { return -std::log(1 - uniform()); }

 private:
  std::mt19937_64 bits_;
};

}  // namespace uotbench
