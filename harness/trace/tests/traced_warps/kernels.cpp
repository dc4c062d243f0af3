#include "harness/trace/tests/traced_warps/kernels.hpp"

#include <cstring>

namespace uotbench::trace {

void join(const float* values, float* sums, int thread, int rounds) {
  float sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += values[32 * i + thread];
    if ((thread + i) & 1) sum += values[32 * (rounds + i) + thread];  // join_line()
  }
  sums[thread] = sum;
}
int join_line() { return 11; }

void sparse_row(const int* first, const int* column, const float* value, const float* x, float* y,
                int thread) {
  float sum = 0;
  for (int k = first[thread]; k < first[thread + 1]; ++k) sum += value[k] * x[column[k]];
  y[thread] = sum;
}

void copy_four(Four* to, const Four* from, int thread) { to[thread] = from[thread]; }
void copy_three(Three* to, const Three* from, int thread) { to[thread] = from[thread]; }
void copy_bytes(void* to, const void* from, int bytes) {
  std::memcpy(to, from, static_cast<unsigned>(bytes));
}

int add_atomically(int* to, int value) { return __atomic_fetch_add(to, value, __ATOMIC_RELAXED); }

namespace {
[[gnu::noinline]] float some(const float* values, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += values[32 * i];
  return sum;
}
}  // namespace

void call_twice(const float* values, float* sums, int thread) {
  sums[thread] = some(values + thread, thread % 4);
  sums[32 + thread] = some(values + 128 + thread, thread % 4);
}

void wait_for(const volatile int* flag) {
  while (*flag == 0) {
  }
}

}  // namespace uotbench::trace
