// The oracle of a worker that runs alone: a process of its own, asked over the protocol.
#pragma once

#include <string>

#include "harness/protocol/channel.hpp"
#include "harness/worker/alone/child.hpp"

namespace uotbench {

class Oracle {
 public:
  /// $UOTBENCH_ORACLE, else uotbench-worker-oracle beside this program, else on PATH. Throws UsageError where
  /// there is none, or it speaks another protocol.
  Oracle();

  /// Sends a request and waits for its answer. Throws Error with what it objects, where it answers something
  /// else than `reply`, and where it is gone.
  Json ask(const Json& request, const std::string& reply);

 private:
  std::string program_;
  Child process_;
  Channel channel_;
};

}  // namespace uotbench
