// Places in the program, as numbers of 13 bits.
#pragma once

#include <cstdint>

namespace uotbench::trace {

/// Any thread may ask for a number, without a lock.
class Sites {
 public:
  static constexpr unsigned most = 1 << 13;
  static constexpr unsigned unknown = 0;  ///< what is left over where a program has more places

  unsigned number_of(std::uint64_t place) {
    std::uint64_t slot = place * 0x9e3779b97f4a7c15u >> 51;  // 13 bits; Knuth's multiplicative hash
    for (unsigned tries = 0; tries < 256; ++tries, slot = (slot + 1) % most) {
      if (slot == unknown) continue;
      std::uint64_t there = __atomic_load_n(&places_[slot], __ATOMIC_RELAXED);
      if (there == 0 && __atomic_compare_exchange_n(&places_[slot], &there, place, false, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED))
        return static_cast<unsigned>(slot);
      if (there == place) return static_cast<unsigned>(slot);
    }
    return unknown;
  }
  /// 0: unknown.
  std::uint64_t place(unsigned number) const { return places_[number]; }

 private:
  std::uint64_t places_[most] = {};
};

}  // namespace uotbench::trace
