// A worker's answers to the requests of the protocol.
#pragma once

#include <map>
#include <string>

#include "harness/worker/serve/build.hpp"
#include "harness/worker/serve/serve.hpp"

namespace uotbench {

/// What hello says of this worker: what it runs on, and how it was built.
Json hello_facts(const Build& build);

/// By request: describe, plan, run (verify, time, count), sources.
std::map<std::string, Handler> worker_answers(const Build& build);

}  // namespace uotbench
