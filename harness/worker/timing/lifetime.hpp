// Instances whose iterations differ when they are too many: a value that runs dry becomes denormal, and a
// clock would see it. They are started again before that, while nothing is timed or counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "harness/worker/variant.hpp"

namespace uotbench {

class Lifetime {
 public:
  /// Of an instance that has begun, and makes `steps` iterations a call. Throws Error where it does not allow
  /// one call.
  explicit Lifetime(Instance& instance, std::int64_t steps = 1);

  /// This number of calls, or the number that may follow one another.
  std::int64_t at_most(std::int64_t calls) const { return most_ ? std::min(calls, *most_) : calls; }
  /// Whether this number may follow now.
  bool holds(std::int64_t calls) const { return !most_ || done_ + calls <= *most_; }
  /// Before this number, at_most() of them: starts the instance again where they would be too many.
  void before(std::int64_t calls);
  bool ends() const { return most_.has_value(); }

 private:
  Instance& instance_;
  std::optional<std::int64_t> most_;
  std::int64_t done_ = 0;
};

}  // namespace uotbench
