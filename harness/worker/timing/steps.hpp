// The iterations of one instance, from its start to its end: solves, first calls, and restarts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/worker/phases.hpp"
#include "harness/worker/variant.hpp"

namespace uotbench {

// Instances whose iterations differ when they are too many: a value that runs dry becomes denormal, and a
// clock would see it. They are started again before that, while nothing is timed or counted.

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

// What a worker does with a case to be judged, and when it is asked for: solves it.

struct Task {
  const Variant& variant;
  const Point& point;
  const Team& team;
  std::filesystem::path inputs, outputs;  ///< folders of .npy files
};

/// The variant's, for ranges that profilers see.
PhaseCategory category_of(const Variant& variant);

/// Calls of iterate() between begin() and finish() that make this number of iterations. Throws Error where no
/// number of them does.
std::int64_t calls_for(const Variant& variant, const Point& point, std::int64_t iterations);

/// Calls of iterate() that follow begin(), restarted where the kernel's lifetime ends. Returns the seconds of
/// each of the first calls: a kernel that does less and less work shows it there. None where `apart` is
/// false: only a device knows them.
std::vector<double> first_calls(Instance& instance, std::int64_t steps, std::int64_t calls, bool apart);

struct Solved {
  std::vector<std::string> written;        ///< the outputs that the variant says it wrote
  std::optional<std::int64_t> iterations;  ///< where it went to a solution: how many that took
  std::optional<Work> work;                ///< of an iteration, or of that solve, where it knows it only now
  Facts facts;                             ///< what the record should know of how it ran
  std::vector<double> seconds = {};        ///< of its first calls, as first_calls() has them
};

/// Makes this many iterations from the inputs as they are, or one whole solve where that is the variant's
/// unit, and writes the outputs, which must be there. Throws Error where arrays are missing or damaged,
/// where this number of iterations is no multiple of those that a call makes, and what the kernel throws.
Solved solve(const Task& task, int iterations);

}  // namespace uotbench
