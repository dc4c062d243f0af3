// Where in the source an instruction came from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace uotbench::trace {

/// FILE:LINE of each address in this program; of code inlined from a system header, or one of harness/simt,
/// where it was inlined.
/// "elsewhere" for the address 0; PROGRAM+0xOFFSET where that is not known (no debug information, or no
/// addr2line).
std::vector<std::string> source_lines(const std::vector<std::uint64_t>& addresses);

}  // namespace uotbench::trace
