#include "harness/worker/serve/code.hpp"

#include <fmt/format.h>

#include <fstream>
#include <set>

#include "results/base/hash.hpp"
#include "results/base/json.hpp"

namespace uotbench {
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
