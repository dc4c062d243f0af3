// CUDA kernels of the family simplex: points and potentials on a device, and slices of a pricing step.
#pragma once

#include <uotbench/cuda.hpp>
#include <uotbench/kernel.hpp>

#include "kernels/simplex/timed/device_prices.cuh"
