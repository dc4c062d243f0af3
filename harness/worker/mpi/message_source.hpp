// What a kernel hands to MPI, counted exactly: the source "mpi".
#pragma once

#include <memory>

#include "harness/worker/counters/counters.hpp"
#include "harness/worker/mpi/ranks.hpp"

namespace uotbench {

std::unique_ptr<CounterSource> message_source(const Ranks& ranks);

}  // namespace uotbench
