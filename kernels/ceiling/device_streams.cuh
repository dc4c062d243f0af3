// Moved; this line stays for kernels outside the tree.
#pragma once

#include "kernels/ceiling/timed/device_streams.cuh"
