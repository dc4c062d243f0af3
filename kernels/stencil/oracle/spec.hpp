// What problems there are: the family's axes, its page, and which points make no sound problem.
#pragma once

#include "harness/worker/oracle/family.hpp"

namespace uotbench::stencil {

FamilySpec stencil_spec();

/// Throws Error with one line where the point makes no problem: a grid without an inner cell, an unstable
/// step, an axis that means nothing with the model.
void require_sound(const Point& point);

}  // namespace uotbench::stencil
