// For variants that show what a loop costs as it is written.
#pragma once

namespace uotbench::uot {

/// Emits nothing, but a compiler neither vectorises nor interchanges a loop that holds it. Portable, unlike
/// options and attributes, which differ between compilers and their versions.
inline void as_written() { asm volatile(""); }

}  // namespace uotbench::uot
