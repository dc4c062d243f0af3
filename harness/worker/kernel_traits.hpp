// What a kernel has of the members that it may leave out. It says so itself, and the compiler holds it to
// that both ways: a member with a misspelt name would otherwise be one that is left out, and something else
// would be measured.
#pragma once

#include "results/record/work.hpp"

namespace uotbench {

/// A kernel says `static constexpr KernelTraits declares{.unit = Unit::part, .begins = true};`, or nothing
/// where it has none of them. One derived from another has what that one declares, unless it declares anew.
struct KernelTraits {
  /// `Unit::part`: `void part()`, a piece of an iteration, is timed and counted instead of `iterate()`, which
  /// is still verified. `Unit::solve`: `void part()` is a whole solve, from the inputs to a solution, and
  /// there is no `iterate()`.
  Unit unit = Unit::iteration;
  /// `void begin()`: untimed preparation, before the first iteration and after each `restart()`.
  bool begins = false;
  /// `void restart()`: back to the inputs, in the same memory.
  bool restarts = false;
  /// `std::int64_t lifetime() const`: most iterations before the harness calls `restart()` and `begin()`,
  /// between samples: for values that decay into denormals. Needs `restart()`.
  bool lifetime = false;
  /// `std::optional<std::int64_t> iterations() const`: number of iterations of the last solve.
  bool iterations = false;
  /// `Work work() const`: all work since the constructor, if known only after the run. The record has the
  /// mean per timed unit.
  bool work = false;
  /// `Facts facts() const`: values for the record, such as the name of a library, read after timing.
  bool facts = false;
};

/// Its earlier name, for kernels outside the tree. Without the warning in CUDA kernels, where warnings are
/// errors.
#ifdef __CUDACC__
using Declares = KernelTraits;
#else
using Declares [[deprecated("use KernelTraits")]] = KernelTraits;
#endif

template <class Kernel>
inline constexpr KernelTraits declares_of = {};
template <class Kernel>
requires requires { Kernel::declares; }
inline constexpr KernelTraits declares_of<Kernel> = Kernel::declares;

/// Compiles for a kernel that has what it declares, and declares what it has.
template <class Kernel>
struct AsDeclared {
  static constexpr KernelTraits declared = declares_of<Kernel>;

  static constexpr bool part = requires(Kernel & kernel) { kernel.part(); };
  static_assert(part || declared.unit == Unit::iteration,
                "the kernel declares a unit that part() makes, and has no part()");
  static_assert(!part || declared.unit != Unit::iteration,
                "the kernel has part(), and does not declare .unit = Unit::part");

  static constexpr bool begin = requires(Kernel & kernel) { kernel.begin(); };
  static_assert(begin || !declared.begins, "the kernel declares .begins, and has no begin()");
  static_assert(!begin || declared.begins, "the kernel has begin(), and does not declare .begins = true");

  static constexpr bool restart = requires(Kernel & kernel) { kernel.restart(); };
  static_assert(restart || !declared.restarts, "the kernel declares .restarts, and has no restart()");
  static_assert(!restart || declared.restarts,
                "the kernel has restart(), and does not declare .restarts = true");

  static constexpr bool lifetime = requires(const Kernel& kernel) { kernel.lifetime(); };
  static_assert(lifetime || !declared.lifetime, "the kernel declares .lifetime, and has no lifetime() const");
  static_assert(!lifetime || declared.lifetime,
                "the kernel has lifetime(), and does not declare .lifetime = true");
  static_assert(!lifetime || restart, "the kernel has lifetime(), and no restart() to begin another");

  static constexpr bool iterations = requires(const Kernel& kernel) { kernel.iterations(); };
  static_assert(iterations || !declared.iterations,
                "the kernel declares .iterations, and has no iterations() const");
  static_assert(!iterations || declared.iterations,
                "the kernel has iterations(), and does not declare .iterations = true");

  static constexpr bool work = requires(const Kernel& kernel) { kernel.work(); };
  static_assert(work || !declared.work, "the kernel declares .work, and has no work() const");
  static_assert(!work || declared.work, "the kernel has work(), and does not declare .work = true");

  static constexpr bool facts = requires(const Kernel& kernel) { kernel.facts(); };
  static_assert(facts || !declared.facts, "the kernel declares .facts, and has no facts() const");
  static_assert(!facts || declared.facts, "the kernel has facts(), and does not declare .facts = true");
};

}  // namespace uotbench
