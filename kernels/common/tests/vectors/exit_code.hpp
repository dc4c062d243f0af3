// What main() of a test returns that is a program for each instruction set, since each has vectors of its own
// (tests.cmake builds them).
#pragma once

namespace uotbench {

/// Runs both checks. 0: both are right; 1: one is not; 77: this CPU cannot run the program.
inline int exit_code(bool (*f32)(), bool (*f64)()) {
#if defined(__AVX512DQ__)
  if (!__builtin_cpu_supports("avx512dq")) return 77;
#elif defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2")) return 77;
#endif
  const bool narrow = f32(), wide = f64();
  return narrow && wide ? 0 : 1;
}

}  // namespace uotbench
