// Cooperative groups: CUDA's under nvcc, blocks alone on the CPU.
#pragma once

#include "harness/simt/cooperative.hpp"
