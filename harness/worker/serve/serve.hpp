// What a worker is and does: how it was built, its side of the conversation with a parent, where it crashed,
// and one case by hand.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/protocol/channel.hpp"
#include "results/base/json_fwd.hpp"

namespace uotbench {

struct Build {
  const char* name;     ///< the worker's, e.g. native-v4
  const char* version;  ///< of uotbench, with which it was built
  const char* compiler;
  const char* flags;
  const char* type;         ///< Release, Debug, …
  const char* cuda;         ///< nvcc's version, options, and for which GPUs; null: no CUDA
  const char* commit;       ///< of the project that built it; empty where there is no git checkout
  bool dirty;               ///< whether files differed from the commit, or git did not know them
  const char* kernel_dirs;  ///< JSON, of sources from outside that project: [{"folder","commit","dirty"}]
};

/// This worker's. build.cpp, which is compiled for each worker, defines it.
const Build& this_build();

// A build as JSON: what hello and records say of it.

/// {"compiler","flags","build_type","commit","dirty","uotbench","hash"}: `commit` is null where there is no
/// git checkout, `hash` is FNV-1a 64 of the executable. "cuda" and "kernel_dirs" are there where they apply.
Json to_json(const Build& build);

// Which machine code a variant is: what the build noted next to the program.

/// A hash, 16 hexadecimal digits, of each variant's code before it was linked: equal where two builds of it
/// differ in nothing but where its code is. It covers the variant's own object, those that are no variant's
/// and that it may call, and the library that runs around it; nothing of other libraries. `noted` is what
/// cmake/code_hashes.cmake wrote. A variant's object is found by the file's name; where none has it, all
/// objects are covered. Empty: nothing was noted.
std::map<std::string, std::string> code_of_variants(const std::filesystem::path& noted,
                                                    const std::vector<std::string>& variants);

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

// A worker by itself: one case in this process, for gdb, perf, valgrind, ncu, numactl.

/// What `uotbench-worker-NAME ARGUMENTS...` does; --help says it. The program `uotbench` is started, and asks
/// this process for what it asks any worker: it makes the inputs, judges, and says what came out. Points fd 1
/// at stderr for the kernel. Returns the exit code; throws UsageError for what the arguments have wrong.
int alone(const Build& build, const std::vector<std::string>& arguments);

// All that a worker's main does.

/// Without arguments it serves the protocol on stdin, with arguments it runs one case alone. Returns the exit
/// code; throws nothing.
int worker_main(int argc, char** argv, const Build& build);

}  // namespace uotbench
