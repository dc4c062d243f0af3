// What `uotbench list sinkhorn_log` prints: the axes, the mathematics, the arrays.
#pragma once

#include "harness/worker/oracle/family.hpp"

namespace uotbench::sinkhorn_log {

FamilySpec sinkhorn_log_spec();

}  // namespace uotbench::sinkhorn_log
