#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "harness/worker/serve/serve.hpp"
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

std::map<std::string, std::string> code_of_variants(const std::filesystem::path& noted,
                                                    const std::vector<std::string>& variants) {
  std::ifstream file(noted);
  const Json hashes = parse_shallow(std::string(std::istreambuf_iterator<char>(file), {})).value_or(nullptr);
  if (!hashes.is_object()) return {};
  std::map<std::string, std::string> object_of;  // by variant
  std::set<std::string> taken;
  for (const auto& variant : variants)
    for (const std::string& name : {variant, variant.substr(variant.rfind('/') + 1)})
      if (hashes.contains(name) && object_of.emplace(variant, name).second) taken.insert(name);
  std::string all, common;  // what is of no single variant is of every one
  for (const auto& [name, hash] : hashes.items()) {
    const std::string line = fmt::format("{}:{}\n", name, to_line(hash));
    all += line;
    if (!taken.contains(name)) common += line;
  }
  std::map<std::string, std::string> code;
  for (const auto& variant : variants) {
    const auto object = object_of.find(variant);
    code[variant] =
        hash_text(object == object_of.end() ? all : to_line(hashes[object->second]) + '\n' + common);
  }
  return code;
}

}  // namespace uotbench
