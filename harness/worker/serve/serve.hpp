// The worker's side of the conversation: says hello, answers requests until the parent hangs up.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "harness/protocol/channel.hpp"
#include "results/base/json_fwd.hpp"

namespace uotbench {

/// Answers one request; may send messages (progress) before it returns the reply. What it throws becomes an
/// `error` reply.
using Handler = std::function<Json(const Json& request, Channel& channel)>;

/// Says hello with `facts` of this worker, {"build": {…}, …}, and answers until `quit` or the end of input.
/// Throws Error where the reader is gone.
void converse(Channel& channel, const std::string& name, const Json& facts,
              const std::map<std::string, Handler>& handlers);

/// Takes stdout for the protocol and points fd 1 at stderr, so that a kernel that prints cannot break it.
/// Converses on stdin; returns the exit code. A terminal does not speak the protocol: says so, and that
/// `by_hand` is the command to try.
int serve(const std::string& name, const Json& facts, const std::map<std::string, Handler>& handlers,
          const std::string& by_hand);

}  // namespace uotbench
