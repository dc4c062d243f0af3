// Moved; for kernels outside the tree.
#pragma once

#include "kernels/ceiling/timed/device_streams.cuh"

#ifndef __CUDACC__  // nvcc's front end does not know the pragma
#pragma message("kernels/ceiling/parts/device_streams.cuh is deprecated: include <uotbench/ceiling.cuh>")
#endif
