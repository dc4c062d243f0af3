// What bounds an explained case, and what removing that would gain.
#pragma once

#include "roofline/explain/explanation.hpp"

namespace uotbench {

/// Sets `bottleneck`, `verdict` and `next` from all else.
void decide(Explanation& it, const Run& run);

}  // namespace uotbench
