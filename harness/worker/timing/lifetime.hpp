// Instances whose iterations differ when they are too many: a value that runs dry becomes denormal, and a
// clock would see it. They are started again before that, while nobody times or counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "harness/worker/variant.hpp"

namespace uotbench {

class Lifetime {
 public:
  /// Of an instance that has begun. Throws Error where it allows no iteration at all.
  explicit Lifetime(Instance& instance);

  /// So many, or as many as may follow one another.
  std::int64_t at_most(std::int64_t iterations) const {
    return most_ ? std::min(iterations, *most_) : iterations;
  }
  /// Whether so many may follow now.
  bool holds(std::int64_t iterations) const { return !most_ || done_ + iterations <= *most_; }
  /// Before so many, at_most() of them: starts the instance again where they would be too many.
  void before(std::int64_t iterations);
  bool ends() const { return most_.has_value(); }

 private:
  Instance& instance_;
  std::optional<std::int64_t> most_;
  std::int64_t done_ = 0;
};

}  // namespace uotbench
