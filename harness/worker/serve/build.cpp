#include "harness/worker/serve/build.hpp"

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

std::string hash_of_executable() {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::uint64_t hash = fnv1a_start;
  std::vector<char> block(1 << 16);
  while (self.read(block.data(), static_cast<std::streamsize>(block.size())), self.gcount() > 0)
    hash = fnv1a({block.data(), static_cast<std::size_t>(self.gcount())}, hash);
  return hash_text(hash);
}

}  // namespace

Json to_json(const Build& build) {
  const std::string commit = build.commit;
  Json json{{"compiler", build.compiler},  {"flags", build.flags},
            {"build_type", build.type},    {"commit", commit.empty() ? Json(nullptr) : Json(commit)},
            {"dirty", build.dirty},        {"uotbench", build.version},
            {"hash", hash_of_executable()}};
  if (build.cuda) json["cuda"] = build.cuda;
  if (const Json folders = Json::parse(build.kernel_dirs); !folders.empty()) json["kernel_dirs"] = folders;
  return json;
}

}  // namespace uotbench
