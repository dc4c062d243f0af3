// What a .cu file includes first: the CUDA runtime under nvcc, what runs kernels on the CPU under g++;
// launch(), check(), DeviceArray, and Pack for vector loads. DeviceArray allocates and throws where there is
// no memory: make it in the constructor. launch() and check() throw what CUDA reports.
#pragma once

#include "harness/simt/cuda.hpp"
#include "harness/simt/device_array.hpp"
#include "harness/simt/pack.hpp"
