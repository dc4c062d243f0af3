// CUDA kernels of the family sinkhorn_log: the batch on a device, and the half steps of an iteration.
#pragma once

#include <uotbench/cuda.hpp>
#include <uotbench/kernel.hpp>

#include "kernels/sinkhorn_log/timed/device_batch.cuh"
