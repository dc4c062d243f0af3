// Products of tiles by tensor cores, mma_tf32() and mma_bf16(), also on the CPU.
#pragma once

#include "harness/simt/tensor.hpp"
