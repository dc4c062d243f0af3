// The authors' loops end where an error falls below eps, a macro of theirs. Here it is a count: as long as
// iterations are left it is below every error, and then above.
#pragma once

#include <math.h>

struct Loop {
  long left = 0, made = 0;

  void begin(long iterations) { left = iterations, made = 0; }
  /// Looked at before an iteration: `while (error >= eps)`.
  double before() { return left > 0 ? (--left, ++made, -1) : HUGE_VAL; }
  /// Looked at after an iteration: `if (error < eps) stop`.
  double after() { return ++made < left ? -1 : HUGE_VAL; }
};

inline Loop counted_loop;

/// What they print is not read; the worker speaks on stdout.
inline int no_print(const char*, ...) { return 0; }
