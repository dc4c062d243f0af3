// A library of kernels, libuotbench_native_v3.so: the objects of the worker of that name.
#pragma once

#include <vector>

#include "harness/worker/variant.hpp"

extern "C" __attribute__((visibility("default"))) const std::vector<const uotbench::Variant*>*
uotbench_native_variants();
