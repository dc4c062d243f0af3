#include "harness/worker/callgrind_source.hpp"
#include "harness/worker/counters.hpp"

namespace uotbench {
namespace {

std::vector<std::unique_ptr<CounterSource>>& added() {
  static std::vector<std::unique_ptr<CounterSource>> list;
  return list;
}

}  // namespace

const std::vector<std::unique_ptr<CounterSource>>& counter_sources() {
  static const bool once = [] {
    if (auto callgrind = callgrind_source()) add_counter_source(std::move(callgrind));
    return true;
  }();
  static_cast<void>(once);
  return added();
}

bool add_counter_source(std::unique_ptr<CounterSource> source) {
  added().push_back(std::move(source));
  return true;
}

}  // namespace uotbench
