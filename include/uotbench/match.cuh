// CUDA kernels of the family match: both sets on a device, padded to whole tiles.
#pragma once

#include <uotbench/cuda.hpp>
#include <uotbench/kernel.hpp>

#include "kernels/match/timed/device_sets.cuh"
