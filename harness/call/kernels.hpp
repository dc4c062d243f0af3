// The kernels of this CPU, loaded from the library next to this one, and the signal that stops a solve.
#pragma once

#include <atomic>
#include <csignal>
#include <map>
#include <string>
#include <vector>

#include "harness/worker/variant.hpp"
#include "results/base/error.hpp"

namespace uotbench {

// A library of kernels, libuotbench_native_v3.so: the objects of the worker of that name.

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

namespace uotbench {

// That library, loaded.

/// There is no such variant or worker, or the CPU cannot run it.
class UnknownName : public Error {
  using Error::Error;
};

class Kernels {
 public:
  /// Loads those of a worker, or for "" of the best that is there and that the CPU runs. Throws UnknownName.
  explicit Kernels(const std::string& worker);

  const std::string& worker() const { return worker_; }  ///< native-v4
  const std::vector<const Variant*>& variants() const { return *variants_; }
  /// Throws UnknownName, with the name that is near.
  const Variant& named(const std::string& name) const;
  /// The hash of its machine code (harness/worker/serve/serve.hpp), as the worker's program reports it; empty
  /// where the build noted none.
  const std::string& code_of(const Variant& variant) const;
  /// Runs `act`, which calls kernels; the flag stops a solve. Throws what they throw: Error, std::bad_alloc,
  /// std::runtime_error, and Stopped.
  template <class Act>
  void run(const std::atomic<bool>& stop, Act act) const {
    run(
        stop, [](void* context) { (*static_cast<Act*>(context))(); }, &act);
  }

 private:
  void run(const std::atomic<bool>& stop, void (*act)(void*), void* context) const;

  std::string worker_;
  const std::vector<const Variant*>* variants_;
  std::map<std::string, std::string> code_;
  decltype(&uotbench_native_run) run_;
};

/// Those in use, chosen by the first call or by use_kernels().
const Kernels& kernels();
void use_kernels(const std::string& worker);

// A signal that stops a solve before it goes to the program's handler, which may only note it: Python's does.

class StoppingSignal {
 public:
  /// 0: none. Nothing is done where the program has no handler of this signal, or another solve waits for
  /// one.
  StoppingSignal(int signal, std::atomic<bool>& stop);
  ~StoppingSignal();
  StoppingSignal(const StoppingSignal&) = delete;
  StoppingSignal& operator=(const StoppingSignal&) = delete;

 private:
  int signal_ = 0;  ///< 0: not watched
};

}  // namespace uotbench
