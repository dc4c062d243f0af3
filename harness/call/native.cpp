// What a library of kernels shows: libuotbench.so, which is built with it from the same sources, finds the
// variants by it. All other names are local to the library, so that code for another CPU never replaces it.
#include <new>

#include "harness/call/kernels.hpp"
#include "harness/worker/stop.hpp"
#include "results/base/error.hpp"

using namespace uotbench;

const std::vector<const Variant*>* uotbench_native_variants() { return &variants(); }

NativeEnd uotbench_native_run(void (*act)(void*), void* context, const std::atomic<bool>* stop,
                              std::string* said) {
  try {
    const ListenToStop listening(*stop);
    act(context);
    return NativeEnd::returned;
  } catch (const Stopped&) {
    return NativeEnd::stopped;
  } catch (const std::bad_alloc&) {
    return NativeEnd::no_memory;
  } catch (const Error& error) {
    *said = error.what();
    return NativeEnd::error;
  } catch (const std::exception& error) {
    *said = error.what();
    return NativeEnd::other;
  } catch (...) {
    *said = "unknown exception";
    return NativeEnd::other;
  }
}
