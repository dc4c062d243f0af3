// The model of a variant's work, per iteration (or solve, or part): what it computes and the streaming
// traffic it causes for a working set of at least 4x the last-level cache (Williams, Waterman, Patterson
// 2009, section 3).
#pragma once

#include <optional>

namespace uotbench {

/// The work of one array element, for the latency model of element-wise operations and stencils (X. He,
/// "Accelerated linear algebra compiler for computationally efficient numerical models", PLOS ONE 2023,
/// doi 10.1371/journal.pone.0282265, section 4.1): operations and elements, not bytes.
struct ElementWork {
  double elements = 0;  ///< N_e, an iteration
  double flops = 0;     ///< alpha
  double memory = 0;    ///< beta_lo: array elements read and written, each once
  double cached = 0;    ///< beta_hi: elements read again, from caches
};

/// Flops and bytes per iteration. Write-allocate (reading a line only to overwrite it) is kept apart:
/// whether it happens depends on the machine and the store instruction, not on the algorithm.
struct Work {
  double flops = 0;
  double bytes_read = 0;
  double bytes_written = 0;
  double write_allocate = 0;
  /// Bytes that the iterations touch again and again: what decides which cache they live in. Workers tell it;
  /// absent: not told.
  std::optional<double> working_set = {};
  std::optional<ElementWork> element = {};  ///< where the variant is of that kind

  /// Bytes moved per iteration, write-allocate left out.
  double bytes() const { return bytes_read + bytes_written; }
};

/// That of so many iterations. What an element takes, and what they touch, stays.
inline Work operator*(Work work, double iterations) {
  work.flops *= iterations;
  work.bytes_read *= iterations;
  work.bytes_written *= iterations;
  work.write_allocate *= iterations;
  if (work.element) work.element->elements *= iterations;
  return work;
}

}  // namespace uotbench
