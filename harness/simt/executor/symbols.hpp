// What functions of this program are called, and where they end.
#pragma once

#include <cstdint>
#include <string>

#include "harness/trace/warps/warps.hpp"

namespace uotbench::simt {

struct Symbol {
  std::string name;  ///< as people write it: "part2<float, 8>"; of an unknown one its address
  trace::Span code;  ///< empty: unknown
};
/// Of the function that begins at `address`; remembered.
const Symbol& symbol_of(const void* address);

/// "void a::(anonymous namespace)::part2<float, 8>(float*, int)" -> "part2<float, 8>".
std::string short_name(const std::string& signature);

}  // namespace uotbench::simt
