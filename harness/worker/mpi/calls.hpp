// Calls of MPI, and their messages as a source of counters.
#pragma once

#include <memory>

#include "harness/worker/counters/counters.hpp"
#include "harness/worker/mpi/ranks.hpp"

namespace uotbench {

// What a kernel hands to MPI: its calls are seen on their way, by MPI's own profiling interface (MPI 4.0,
// section 15.2). The harness's own messages go past it.

struct MpiCalls {
  double messages = 0;  ///< calls that exchange: collectives and sends, not waiting for them
  double bytes = 0;     ///< that this process handed over to be sent
};

/// Of this process, since it started.
const MpiCalls& mpi_calls();
/// The function of MPI that this process is in now; null: none, it computes. For signal handlers, too.
const char* mpi_function();

// What a kernel hands to MPI, counted exactly: the source "mpi".

std::unique_ptr<CounterSource> message_source(const Ranks& ranks);

}  // namespace uotbench
