// Moved; this line stays for kernels outside the tree.
#pragma once

#include "kernels/uot/parts/device_plan.cuh"
