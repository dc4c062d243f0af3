#include "results/record/run_file/origin_warnings.hpp"

#include <fmt/format.h>

#include <set>

#include "results/base/json.hpp"
#include "results/base/json_parts.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

/// Of a merged run: which of its shards were not among the files.
void add_missing_shards(std::vector<std::string>& all, const Json& merged) {
  std::set<int> there;
  int of = 0;
  for (const auto& file : merged) {
    const Json shard = file.value("shard", Json());
    if (!shard.is_object()) return;
    there.insert(shard.at("index").get<int>());
    of = shard.at("of").get<int>();
  }
  std::vector<std::string> missing;
  for (int index = 1; index <= of; ++index)
    if (!there.contains(index)) missing.push_back(std::to_string(index));
  if (missing.empty()) return;
  all.push_back(missing.size() == 1 ? fmt::format("shard {} of {} is missing", missing.front(), of)
                                    : fmt::format("shards {} of {} are missing", shortened(missing, 8), of));
}

}  // namespace

std::vector<std::string> origin_warnings(const Json& header) {
  std::vector<std::string> all;
  const Json workers = header.value("workers", Json::object());
  for (const auto& [name, build] : workers.items())
    if (build.value("build_type", "Release") == "Debug")
      all.push_back(fmt::format("worker {} is a Debug build: its times mean nothing", name));
  const Json recorded = object_in(object_in(header, "machine"), "recorded");
  if (const Json quota = value_in(recorded, "cpu_quota"); quota.is_number())
    all.push_back(fmt::format("CPU quota {:.3g}: times are of bursts", quota.get<double>()));
  const Json merged = header.value("merged", Json::array());
  add_missing_shards(all, merged);
  if (const Json machines = header.value("machines", Json::object()); machines.size() > 1)
    all.push_back(fmt::format("records of {} machines: times compare only within one", machines.size()));
  std::set<std::string> others;
  for (const auto& file : merged) {
    const Json builds = file.value("other_workers", Json::object());
    for (const auto& [name, build] : builds.items()) others.insert(name);
  }
  for (const auto& name : others)
    all.push_back(fmt::format("worker {}: records of several builds of it", name));
  return all;
}

}  // namespace uotbench
