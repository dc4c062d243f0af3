// Workers of a few lines of Python, which do what a test wants.
#pragma once

#include <string>

#include "harness/sweep/workers/worker_process.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {

/// `answers` is Python: a function answer(request), which may call send(...) and raw(bytes), and what it
/// needs. It is named mine.
inline Manifest scripted_worker(const Folder& folder, const std::string& answers,
                                const std::string& hello = "send(type='hello', protocol=1, worker='mine')") {
  const auto file = folder.write("worker.py", R"(import json, os, subprocess, sys, time
messages = os.fdopen(os.dup(1), 'wb')
def raw(data):
    messages.write(data)
    messages.flush()
def send(**message):
    raw(b'\x1e' + json.dumps(message).encode() + b'\n')
)" + answers + "\n" + hello + R"(
for line in sys.stdin.buffer:
    request = json.loads(line.lstrip(b'\x1e'))
    if request['type'] == 'quit':
        break
    answer(request)
)");
  Manifest manifest;
  manifest.name = "mine";
  manifest.command = {"python3", "-IS", file.string()};
  return manifest;
}

/// "status: reason" of what the act fails with; "ok" where it does not.
template <class Act>
std::string outcome_of(const Act& act) {
  try {
    act();
  } catch (const WorkerFailure& failure) {
    return std::string(name_of(failure.status)) + ": " + failure.reason;
  }
  return "ok";
}

}  // namespace uotbench
