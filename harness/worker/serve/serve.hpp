// Answers a parent's requests, and says where a worker crashed.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "harness/protocol/channel.hpp"
#include "harness/worker/serve/build.hpp"
#include "results/base/json_fwd.hpp"

namespace uotbench {

// Where a worker was when it crashed, or was asked.

/// From now on a SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT of this process prints its call chain on stderr,
/// a line "uotbench-worker-NAME: frame FILE+0xOFFSET" for each program or library and the offset in it,
/// innermost first; then the process ends by that signal, as it would have. A SIGQUIT does the same and ends
/// it with code 131. The parent turns offsets into functions and lines.
void print_frames_of_crashes(const std::string& name);

// The worker's side of the conversation: says hello, answers requests until the parent hangs up.

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

// A worker's answers to the requests of the protocol.

/// What hello says of this worker: what it runs on, and how it was built.
Json hello_facts(const Build& build);

/// By request: describe, plan, run (verify, time, count), sources.
std::map<std::string, Handler> worker_answers(const Build& build);

}  // namespace uotbench
