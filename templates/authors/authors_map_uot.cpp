// UOT_MAP of github.com/sunchengyu1111/Efficient_UOT, compiled from the user's clone (its src folder is on
// the include path), for the worker authors_map_uot.py. It multiplies by the columns' factors first; with
// sums that equal the masses those are 1, so that it begins with the rows, as the family does.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "MAP-UOT_TestMap.h"
#include "loop.hpp"
#undef eps
#define eps counted_loop.before()
#define printf no_print
#include "MAP-UOT_TestMap.cpp"
#undef printf

int thread_count = 1;
double cpuSecond() { return 0; }  // the worker measures the time

/// Iterates on `plan` (m x n). `sums` (n) are the plan's columns'; `sums_of_threads` and `sums_before` have
/// room for threads x n and n. Returns how many iterations were made: fewer where the error is no number.
extern "C" long iterate(double* plan, double* rows, double* columns, double* sums, double* sums_of_threads,
                        double* sums_before, int m, int n, double fi, int threads, long iterations) {
  thread_count = threads;
  counted_loop.begin(iterations);
  auto* const handles = static_cast<pthread_t*>(malloc(static_cast<size_t>(threads) * sizeof(pthread_t)));
  UOT_MAP(plan, rows, columns, sums, sums_of_threads, sums_before, 0, m, n, fi, 0, 1, handles);  // frees them
  return counted_loop.made;
}
