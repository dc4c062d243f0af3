// CPU_Test of github.com/sunchengyu1111/COFFEE, compiled from the user's clone (its src folder is on the
// include path), for the worker authors_coffee.py: one process, balanced transport.
#include <stdio.h>

#include "COFFEE_TestCPU.h"
#include "loop.hpp"
#undef eps
#define eps counted_loop.after()
#define printf no_print
#include "COFFEE_TestCPU.cpp"
#undef printf

/// Iterates on `plan` (m x n); `copy` has its size, `sums` and `all_sums` are n. Returns how many iterations
/// were made.
extern "C" long iterate(double* plan, double* copy, double* rows, double* columns, double* sums,
                        double* all_sums, int m, int n, long iterations) {
  counted_loop.begin(iterations);
  CPU_Test(plan, copy, rows, columns, sums, all_sums, m, n, 0);
  return counted_loop.made;
}
