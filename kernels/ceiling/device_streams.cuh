// Moved; this line stays for kernels outside the tree.
#pragma once

#include "kernels/ceiling/parts/device_streams.cuh"
