// What a ceiling's y has to be, by variant.
#pragma once

#include <string>

#include "harness/protocol/npy.hpp"
#include "harness/protocol/point.hpp"
#include "harness/worker/oracle/family.hpp"

namespace uotbench::ceiling {

/// Of spin: it lasted at least as long as asked for, and not absurdly longer.
Judgement judge_spin(double seconds, const Point& point);

/// Of the others, after `iterations` from x. Throws Error naming those that can be judged.
Judgement judge_arrays(const std::string& variant, const Point& point, const NpyArray& x, const NpyArray& y,
                       int iterations);

}  // namespace uotbench::ceiling
