#include "results/record/run_file/origin_warnings.hpp"

#include <fmt/format.h>

#include <set>

#include "results/base/text.hpp"

namespace uotbench {
namespace {

/// Of a merged run: which of its shards were not among the files.
void add_missing_shards(std::vector<std::string>& all, const std::vector<MergedPart>& merged) {
  std::set<std::int64_t> there;
  std::int64_t of = 0;
  for (const auto& file : merged) {
    if (!file.shard) return;
    there.insert(file.shard->index);
    of = file.shard->of;
  }
  std::vector<std::string> missing;
  for (std::int64_t index = 1; index <= of; ++index)
    if (!there.contains(index)) missing.push_back(std::to_string(index));
  if (missing.empty()) return;
  all.push_back(missing.size() == 1 ? fmt::format("shard {} of {} is missing", missing.front(), of)
                                    : fmt::format("shards {} of {} are missing", shortened(missing, 8), of));
}

}  // namespace

std::vector<std::string> origin_warnings(const RunHeader& header) {
  std::vector<std::string> all;
  for (const auto& [name, build] : header.workers)
    if (build.build_type() == "Debug")
      all.push_back(fmt::format("worker {} is a Debug build: its times mean nothing", name));
  if (const auto quota = header.machine.cpu_quota())
    all.push_back(fmt::format("CPU quota {:.3g}: times are of bursts", *quota));
  add_missing_shards(all, header.merged);
  if (header.machines.size() > 1)
    all.push_back(
        fmt::format("records of {} machines: times compare only within one", header.machines.size()));
  std::set<std::string> others;
  for (const auto& file : header.merged)
    for (const auto& [name, build] : file.other_workers) others.insert(name);
  for (const auto& name : others)
    all.push_back(fmt::format("worker {}: records of several builds of it", name));
  return all;
}

}  // namespace uotbench
