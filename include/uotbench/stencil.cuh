// CUDA kernels of the family stencil: fields in the device's memory and the stages of a step.
#pragma once

#include <uotbench/cuda.hpp>
#include <uotbench/kernel.hpp>

#include "kernels/stencil/timed/device_stepping.cuh"
