// Noise of times, made for tests of the gate.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace uotbench {

// Random numbers that are the same on every machine, as the distributions of <random> are not.

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

// Made-up noise of processes' times, of kinds that machines have, to measure the gate on.

/// `begin` starts a session: what it returns gives the times of fresh processes one after another. All of one
/// session's randomness comes from its dice.
struct Noise {
  std::string name;
  std::function<std::function<double()>(Dice&)> begin;
};

namespace noise {

/// Independent and normal, of a process.
inline Noise iid(const std::string& name, double deviation) {
  return {name, [=](Dice& dice) { return [=, &dice] { return std::exp(deviation * dice.normal()); }; }};
}

/// Neighbours are alike: correlation 0.9, standard deviation 5% in all.
inline Noise autoregressive() {
  return {"AR(1) 5%", [](Dice& dice) {
            return [&dice, state = dice.normal()]() mutable {
              state = 0.9 * state + std::sqrt(1 - 0.9 * 0.9) * dice.normal();
              return std::exp(0.05 * state);
            };
          }};
}

/// 20% over 100 processes and back again, as a machine that warms up and is cooled; 2% of noise.
inline Noise drift() {
  return {"drift 20%", [](Dice& dice) {
            return [&dice, now = 200 * dice.uniform()]() mutable {
              now += 1;
              return std::exp(0.1 * std::sin(now * std::numbers::pi / 100) + 0.02 * dice.normal());
            };
          }};
}

/// Three processes of ten are 15% slower (where their pages lie); 1% of noise.
inline Noise bimodal() {
  return {"bimodal 15%", [](Dice& dice) {
            return [&dice] { return (dice.chance(0.3) ? 1.15 : 1) * std::exp(0.01 * dice.normal()); };
          }};
}

/// One process of twenty meets somebody else: 30% slower on average; 2% of noise.
inline Noise spikes() {
  return {"spikes 5%", [](Dice& dice) {
            return [&dice] {
              return (dice.chance(0.05) ? 1 + 0.3 * dice.exponential() : 1) * std::exp(0.02 * dice.normal());
            };
          }};
}

/// A rented machine: noise of a process, slow waves of 5% (correlation 0.9), another level in every session
/// (10%), spikes.
inline Noise rented(const std::string& name, double deviation) {
  return {name, [=](Dice& dice) {
            const double level = 0.1 * dice.normal();
            return [=, &dice, state = dice.normal()]() mutable {
              state = 0.9 * state + std::sqrt(1 - 0.9 * 0.9) * dice.normal();
              const double spike = dice.chance(0.05) ? 1 + 0.3 * dice.exponential() : 1;
              return spike * std::exp(level + 0.05 * state + deviation * dice.normal());
            };
          }};
}

inline std::vector<Noise> all() {
  return {iid("iid 1%", 0.01),
          iid("iid 2%", 0.02),
          iid("iid 5%", 0.05),
          iid("iid 10%", 0.10),
          autoregressive(),
          drift(),
          bimodal(),
          spikes(),
          rented("rented 2%", 0.02),
          rented("rented 5%", 0.05),
          rented("rented 10%", 0.10)};
}

}  // namespace noise

}  // namespace uotbench
