// Where the program's own variables are: those of a thread, constants, and the rest that can be written.
#pragma once

#include <vector>

#include "harness/trace/warps/warps.hpp"

namespace uotbench::simt {

/// The calling OS thread's thread_local variables, __shared__ ones among them.
std::vector<trace::Span> thread_local_variables();
/// __constant__ variables; empty where there are none.
trace::Span constants();
/// Everything else that can be written, __device__ variables among it.
std::vector<trace::Span> variables();

}  // namespace uotbench::simt
