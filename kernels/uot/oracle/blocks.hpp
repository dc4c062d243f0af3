// How the oracle divides rows among threads.
#pragma once

namespace uotbench::uot {

/// Rows that share one partial sum. Fixed, so that the order of summation, and with it each bit, does not
/// depend on the number of threads; 64 rows keep the partial sums below 4% of the matrix.
inline constexpr int rows_per_block = 64;

}  // namespace uotbench::uot
