#include "harness/worker/build_json.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace uotbench {
namespace {

/// Fowler, Noll, Vo: FNV-1a, 64 bits. Tells builds apart; nothing here is adversarial.
std::string hash_of_executable() {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::uint64_t hash = 0xcbf29ce484222325u;
  std::vector<char> block(1 << 16);
  while (self.read(block.data(), static_cast<std::streamsize>(block.size())), self.gcount() > 0)
    for (std::streamsize i = 0; i < self.gcount(); ++i)
      hash = (hash ^ static_cast<unsigned char>(block[static_cast<std::size_t>(i)])) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
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
