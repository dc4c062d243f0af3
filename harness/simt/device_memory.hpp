// How much of the device's memory this process' arrays hold, and the most that they held at once. The
// driver's own part, a context of some hundred megabytes, is not in it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace uotbench {

class DeviceMemory {
 public:
  static void take(std::size_t bytes) {
    const std::size_t now = held_.fetch_add(bytes) + bytes;
    for (std::size_t most = peak_; most < now && !peak_.compare_exchange_weak(most, now);) {
    }
  }
  static void give_back(std::size_t bytes) { held_.fetch_sub(bytes); }
  /// Since watch().
  static std::size_t peak() { return peak_; }
  static void watch() { peak_ = held_.load(); }

 private:
  static inline std::atomic<std::size_t> held_ = 0, peak_ = 0;
};

}  // namespace uotbench
