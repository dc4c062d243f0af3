// Workers of a few lines, which do what a test wants; and one that is launched as several processes.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/sweep/workers/manifest.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {

// Workers of a few lines of Python, which do what a test wants.

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

// A worker that is launched as several processes, without MPI.

/// Of that name; its processes write their numbers into the folder.
inline Manifest launched_worker(const std::string& name, const Folder& folder,
                                const std::string& bytes = "0") {
  return manifest_from_argument(name + "=python3 " + UOTBENCH_SOURCE_DIR +
                                    "/harness/sweep/tests/launcher.py {ranks} " + folder.path().string() +
                                    " " + bytes,
                                {});
}

/// The processes that wrote their numbers, the first one first. They are forgotten.
inline std::vector<pid_t> launched_processes(const Folder& folder) {
  std::vector<pid_t> all;
  for (pid_t pid; std::ifstream(folder / std::to_string(all.size())) >> pid;) all.push_back(pid);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    std::filesystem::remove(folder / std::to_string(rank));
  return all;
}

/// Or nothing is left of it but its number.
inline bool has_ended(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(stat, line)) return true;
  return line.find(") Z") != std::string::npos;
}

}  // namespace uotbench
