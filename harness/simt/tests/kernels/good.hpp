// Kernels that are right, by what they compute. Each also compiles with nvcc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace uotbench::simt::tests {

using Floats = std::vector<float>;

/// The sum, by shuffles within warps, shared memory across them, and an atomic.
float sum(const Floats& values, int block);
/// `rows` x `columns`, through tiles of 32 x 32 in shared memory.
Floats transposed(const Floats& matrix, int rows, int columns);
/// How often each of 0..255 is there: counted in shared memory, then added up.
std::vector<unsigned> histogram(const std::vector<unsigned char>& values);
/// Each block's values in reverse; dynamic shared memory of `block` floats.
Floats reversed_blocks(const Floats& values, int block);
/// c0 + c1 x + c2 x^2, coefficients in constant memory.
Floats polynomial(const Floats& x, const Floats& coefficients);
/// How many are greater than `limit`, counted in a __device__ variable.
unsigned count_above(const Floats& values, float limit);
/// x rounded to 16 bits and back, stored as such.
Floats through_half(const Floats& x);
Floats through_bfloat16(const Floats& x);
/// Sums of pairs of neighbours in a block of 64; what they are read from was copied asynchronously.
Floats neighbour_sums(const Floats& values);
/// Threads beyond the end leave before their warp's others shuffle: each warp's greatest value.
Floats warp_maxima(const Floats& values);
/// scale * (x + y), vectors of 4.
Floats axpy4(const Floats& x, const Floats& y, float scale);

/// A (16 x k) B (k x 8, by columns) + C (16 x 8) by a tensor core, k = 8 (TF32) or 16 (bfloat16).
Floats tensor_product(const Floats& A, const Floats& B, const Floats& C);

/// The threads of a grid, each by its number, in the order in which they came to an atomic.
std::vector<int> order_of_threads(int blocks, int block);
/// What each lane of a warp gets of: shuffles up by 3, down by 3, xor 5, from 2, each within 8 lanes; ballot
/// of odd lanes; any; all; match of lane / 8; sums, minima, maxima of lane - 5; how many lanes of 64 at the
/// barrier are odd, whether all, whether any.
constexpr int exchanges = 15;
std::vector<int> exchanged();
/// Old values, then the new one: add, sub, min, max, and, or, xor, exchange, compare (not equal), compare,
/// inc, dec of 12 with 10.
std::vector<unsigned> atomics();
/// Functions on numbers.
Floats functions(float x);
/// A kernel with parameters of many types, to which other types convert: what it was given.
std::vector<double> parameters();

// Two kernels over a matrix, for the time: rows scaled and columns summed, columns scaled and rows summed.
void scale_twice(Floats& matrix, const Floats& rows, const Floats& columns, int height, int width,
                 Floats& column_sums, Floats& row_sums);

}  // namespace uotbench::simt::tests
