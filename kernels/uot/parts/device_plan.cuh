// Moved; for kernels outside the tree.
#pragma once

#include "kernels/uot/timed/device_plan.cuh"

#ifndef __CUDACC__  // nvcc's front end does not know the pragma
#pragma message("kernels/uot/parts/device_plan.cuh is deprecated: include <uotbench/uot.cuh>")
#endif
