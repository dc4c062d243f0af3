// CUDA kernels of the family uot: the plan on a device, scaled in place.
#pragma once

#include <uotbench/cuda.hpp>
#include <uotbench/kernel.hpp>

#include "kernels/uot/timed/device_plan.cuh"
