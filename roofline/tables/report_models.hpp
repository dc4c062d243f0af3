// What the latency and effective-bandwidth models predict of the cases, beside what was measured.
#pragma once

#include <vector>

#include "results/view/table.hpp"
#include "results/view/view.hpp"

namespace uotbench {

/// Measured and predicted effective bandwidth, and their ratio, of every case whose variant declares what the
/// models need (X. He, "Accelerated linear algebra compiler for computationally efficient numerical models",
/// PLOS ONE 18(2), 2023, Eq. 9 to 12). No rows where none does.
Table models_of(const std::vector<const RunView*>& runs);

}  // namespace uotbench
