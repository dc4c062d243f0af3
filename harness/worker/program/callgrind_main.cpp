// uotbench-callgrind COMMAND...: counts, with callgrind around it, a worker that has no counters. The command
// is valgrind's, with the worker at its end; UOTBENCH_CALLGRIND_OUT is the file that it names, without its
// ".%p".

#include <cstdio>
#include <cstdlib>

#include "harness/host/process/files.hpp"
#include "harness/host/process/program.hpp"
#include "harness/worker/counters/callgrind_source.hpp"
#include "harness/worker/serve/serve.hpp"
#include "results/base/json.hpp"

namespace {

using uotbench::Json;

/// "valgrind-3.19.0"; null where it does not say.
Json version_of(const std::string& program) try {
  return uotbench::trimmed(uotbench::run_program({.command = {program, "--version"}, .seconds = 30}).said);
} catch (const std::exception&) {
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const out = std::getenv("UOTBENCH_CALLGRIND_OUT");
  if (argc < 2 || !out) {
    std::fputs(
        "uotbench-callgrind: uotbench starts this (configs/workers/callgrind.json); by hand: valgrind\n",
        stderr);
    return 2;
  }
  // An interpreter that draws its hashes by lot does something else in every process.
  for (const char* seed : {"PYTHONHASHSEED", "PERL_HASH_SEED"}) ::setenv(seed, "0", 1);
  const uotbench::CallgrindOutside how{{argv + 1, argv + argc}, out};
  return uotbench::serve(
      "callgrind", {{"build", {{"valgrind", version_of(argv[1])}}}},
      {{"run",
        [&](const Json& request, uotbench::Channel&) {
          return to_json(uotbench::reply_from_outside(how, uotbench::run_request_from(request)));
        }}},
      "valgrind --tool=callgrind");
}
