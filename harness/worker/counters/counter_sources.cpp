#include "harness/worker/counters/callgrind_source.hpp"
#include "harness/worker/counters/hardware_source.hpp"
#include "harness/worker/counters/perf_backend.hpp"
#include "harness/worker/counters/step_source.hpp"
#if UOTBENCH_WITH_PAPI
#endif

namespace uotbench {
namespace {

using Sources = std::vector<std::unique_ptr<CounterSource>>;

template <class Backend>
std::unique_ptr<CounterSource> counting_with() {
  return std::make_unique<HardwareSource>(std::make_unique<Backend>());
}

Sources& registered() {
  static Sources sources = [] {
    Sources all;
    all.push_back(counting_with<PerfBackend>());
#if UOTBENCH_WITH_PAPI
    all.push_back(counting_with<PapiBackend>());
#endif
    all.push_back(counting_with<OsBackend>());
    all.push_back(heap_source());
    if (auto step = step_source()) all.push_back(std::move(step));
    if (auto callgrind = callgrind_source()) all.push_back(std::move(callgrind));
    return all;
  }();
  return sources;
}

}  // namespace

const Sources& counter_sources() { return registered(); }

bool add_counter_source(std::unique_ptr<CounterSource> source) {
  registered().push_back(std::move(source));
  return true;
}

}  // namespace uotbench
