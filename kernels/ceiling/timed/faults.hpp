// Pages that each thread of fault gives back and touches in one iteration: what the kernel and its judge have
// to agree on.
#pragma once

#include <cstddef>

namespace uotbench::ceiling {

inline constexpr std::size_t pages_touched = 256;

}  // namespace uotbench::ceiling
