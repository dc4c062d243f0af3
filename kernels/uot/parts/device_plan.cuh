// Moved; for kernels outside the tree.
#pragma once

#include "kernels/uot/timed/device_plan.cuh"

#ifndef __CUDACC__  // nvcc's front end does not know the pragma
#pragma message("moved: include kernels/uot/timed/device_plan.cuh")
#endif
