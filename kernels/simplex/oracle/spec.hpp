// What `uotbench list simplex` prints: the axes, the mathematics, the arrays.
#pragma once

#include "harness/worker/oracle/family.hpp"

namespace uotbench::simplex {

FamilySpec simplex_spec();

}  // namespace uotbench::simplex
