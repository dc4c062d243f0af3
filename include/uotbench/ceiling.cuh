// CUDA kernels of the family ceiling: arrays in the device's memory.
#pragma once

#include <uotbench/cuda.hpp>
#include <uotbench/kernel.hpp>

#include "kernels/ceiling/timed/device_streams.cuh"
