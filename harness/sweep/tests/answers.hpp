// Answers of workers: a sound one of every kind, and those that workers of this project gave, as they were
// recorded.
#pragma once

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "results/base/json.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {

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
