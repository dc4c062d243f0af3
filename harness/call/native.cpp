// The one function of a library of kernels: libuotbench.so, which is built with it from the same sources,
// finds the variants by it. All other names are local to the library, so that code for another CPU never
// replaces it.
#include "harness/call/native.hpp"

const std::vector<const uotbench::Variant*>* uotbench_native_variants() { return &uotbench::variants(); }
