// Vectors of numbers: values that are one number or a vector (lanes.hpp), exp2, log2 and powers of vectors
// with their largest errors, hide() against the compiler's folding, stores past the caches. All in registers:
// no member throws or allocates.
#pragma once

#include "kernels/common/fast_exp.hpp"
#include "kernels/common/fast_log.hpp"
#include "kernels/common/fast_pow.hpp"
#include "kernels/common/hide.hpp"
#include "kernels/common/lanes.hpp"
#include "kernels/common/write_past.hpp"
