// A library of kernels, libuotbench_native_v3.so: the objects of the worker of that name.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "harness/worker/variant.hpp"

namespace uotbench {

/// How kernels ended.
enum class NativeEnd { returned, stopped, error, no_memory, other };

}  // namespace uotbench

extern "C" {
const std::vector<const uotbench::Variant*>* uotbench_native_variants();
/// act(context) calls kernels. What they throw is caught here, where it was thrown: each library has a C++
/// library of its own, which counts its exceptions. The flag stops a solve.
uotbench::NativeEnd uotbench_native_run(void (*act)(void*), void* context, const std::atomic<bool>* stop,
                                        std::string* said);
}
