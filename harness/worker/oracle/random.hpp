// Random numbers that depend only on their index: the same data from any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace uotbench {

/// The output function of splitmix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number
/// generators").
constexpr std::uint64_t splitmix64(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A stream of numbers by index. Streams of one seed are independent of each other.
class RandomStream {
 public:
  constexpr RandomStream(std::int64_t seed, std::uint64_t stream)
      : key_(splitmix64(splitmix64(static_cast<std::uint64_t>(seed)) + stream)) {}

  constexpr std::uint64_t bits(std::size_t index) const {
    return splitmix64(key_ + index * 0x9e3779b97f4a7c15u);
  }
  /// Uniform in [0, 1), all 53 bits of a double.
  constexpr double uniform(std::size_t index) const {
    return static_cast<double>(bits(index) >> 11) * 0x1p-53;
  }
  /// Uniform in 0 .. count-1 (the bias, count / 2^64, is beyond notice).
  constexpr std::size_t below(std::size_t index, std::size_t count) const { return bits(index) % count; }

 private:
  std::uint64_t key_;
};

}  // namespace uotbench
