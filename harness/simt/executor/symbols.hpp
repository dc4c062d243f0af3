// What the program's file says of addresses: functions, and variables that threads share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/trace/warps/warps.hpp"

namespace uotbench::simt {

// What functions of this program are called, and where they end.

struct Symbol {
  std::string name;  ///< as people write it: "part2<float, 8>"; of an unknown one its address
  trace::Span code;  ///< empty: unknown
};
/// Of the function that begins at `address`; remembered.
const Symbol& symbol_of(const void* address);

/// "void a::(anonymous namespace)::part2<float, 8>(float*, int)" -> "part2<float, 8>".
std::string short_name(const std::string& signature);

// Where the program's own variables are: those of a thread, constants, and the rest that can be written.

/// The calling OS thread's thread_local variables, __shared__ ones among them.
std::vector<trace::Span> thread_local_variables();
/// __constant__ variables; empty where there are none.
trace::Span constants();
/// Everything else that can be written, __device__ variables among it.
std::vector<trace::Span> variables();

}  // namespace uotbench::simt
