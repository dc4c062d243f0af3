// The heap as a source of counts: what loading a case takes, and what one of its iterations takes, exactly.
#pragma once

#include <memory>

#include "harness/worker/counters/counters.hpp"

namespace uotbench {

std::unique_ptr<CounterSource> heap_source();

}  // namespace uotbench
