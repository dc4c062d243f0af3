// Kernels, as one thread of one runs them: compiled as a worker's are, so that their accesses are known.
#pragma once

namespace uotbench::trace {

struct alignas(16) Four {
  float x, y, z, w;
};
struct Three {
  float x, y, z;
};

/// Each thread reads `rounds` values a warp apart, and adds a second one in every other round.
void join(const float* values, float* sums, int thread, int rounds);
int join_line();
/// Row `thread` of a sparse matrix times x.
void sparse_row(const int* first, const int* column, const float* value, const float* x, float* y,
                int thread);
void copy_four(Four* to, const Four* from, int thread);
void copy_three(Three* to, const Three* from, int thread);
void copy_bytes(void* to, const void* from, int bytes);
int add_atomically(int* to, int value);
/// Calls a function that is not inlined twice: it reads as many values as its thread's number modulo 4.
void call_twice(const float* values, float* sums, int thread);
/// Reads until another value stands there, which no thread writes.
void wait_for(const volatile int* flag);

}  // namespace uotbench::trace
