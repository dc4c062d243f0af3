// Workers of a few lines, which do what a test wants; one that is launched as several processes; and what
// workers answer.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "harness/sweep/workers/manifest.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/json.hpp"
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

// Answers of workers: a sound one of every kind, and those that workers of this project gave, as they were
// recorded.

/// The definition of each in the protocol's schema, and one with every key that it names.
inline const std::vector<std::pair<std::string, Json>>& sound_answers() {
  static const std::vector<std::pair<std::string, Json>> all = [] {
    std::vector<std::pair<std::string, Json>> list;
    for (
        const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
            {"hello",
             R"({"type":"hello","protocol":1,"worker":"mine","obstacle":"no GPU","device":{"name":"GPU"},
                  "steps":["verify","prove"],"build":{"compiler":"cc"}})"},
            {"described",
             R"({"type":"described","variants":[{"name":"uot/mine","summary":"s","code":"c","kernels":[{"registers":3}],
                  "measures":{"rate":"read","arrays":1},"tolerance":1e-3,"axes":[{"name":"threads","kind":"integer",
                  "role":"setting","default":1,"values":[1,"2"],"least":1,"most":2,"derived":false,"about":"a"}],
                  "points":[{"threads":1}]}],"families":[{"name":"own","summary":"s"}]})"},
            {"families",
             R"({"type":"described","families":[{"name":"uot","summary":"s","axes":[{"name":"M","kind":"size","default":null}],
                  "iterations":10,"checked":[{"M":37}],"loosest":0.1,"memoryless":true}]})"},
            {"planned",
             R"({"type":"planned","points":[{"memory":240,"steps":2,"derived":{"M":3},"judged_after":[10,2],
                   "files":{"data/K.npy":"80 bytes 0123"}},
                  {"refused":"too large"}]})"},
            {"record",
             R"({"type":"record","case":"uot/mine/M:3@mine","outputs":["plan","u"],"verified_by":"cmp a b","per":"part",
                  "env":{"peak_rss":1,"page_faults":2,"steal":0.5,"blas":"none","build_type":"Debug","counted_by":{}},
                  "counts":{"misses":{"value":3,"kind":"measured"}},
                  "proved":{"how":"restarted","outputs":["plan"],"iterations":12},
                  "work":{"flops":1,"bytes_read":2,"bytes_written":3,"write_allocate":4,"working_set":5,
                          "element":{"elements":1,"flops":2,"memory":3,"cached":4},"operations":{"exp":3e9},
                          "from":"run","repeats":false},
                  "time":{"per":"solve","iterations":7,"clock":"steady","inner":3,"stopped_by":"noise",
                          "samples":[0.001,0.002],"first_sample_at":12.5,"slowdown":1.1,"busy":0.99,
                          "phases":[{"name":"pricing","seconds":[0.0005,0.001],"entered":2.5}],
                          "warnings":["hot"]}})"},
            {"sources",
             R"({"type":"sources","sources":[{"name":"perf","simulated":false,"reason":"forbidden","mend":"sysctl",
                  "unknown":{"misss":"no misss; the nearest is misses"}}]})"},
            {"error", R"({"type":"error","message":"too large"})"},
            {"progress", R"({"type":"progress","samples":3})"},
            {"prepared", R"({"type":"prepared","files":{"data/K.npy":"80 bytes 0123"}})"},
            {"poisoned", R"({"type":"poisoned"})"},
            {"hashed", R"({"type":"hashed","files":{"K.npy":"80 bytes 0123"}})"},
            {"judged",
             R"({"type":"judged","reason":"wrong","check":{"kind":"full","error":0.5,"tolerance":1e-5,
                  "oracle":"eigen-f64","worst":"plan","found":{"mass":0.98},
                  "items":{"count":4,"wrong":1,"first":[2],"worst":{"index":2,"error":null}}}})"}})
      list.emplace_back(name, Json::parse(text));
    return list;
  }();
  return all;
}

/// A question, null before the hello, and what was said to it.
struct Recorded {
  Json asked, said;
};

/// A conversation as docs/my_worker.txt writes it: "> " before what is asked, "< " before what is said.
inline std::vector<Recorded> recorded(const std::string& file) {
  std::vector<Recorded> all;
  std::ifstream in(std::string(UOTBENCH_SOURCE_DIR) + "/" + file);
  Json asked = nullptr;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("> ")) asked = Json::parse(line.substr(2));
    if (line.starts_with("< ")) all.push_back({asked, Json::parse(line.substr(2))});
  }
  return all;
}

}  // namespace uotbench
