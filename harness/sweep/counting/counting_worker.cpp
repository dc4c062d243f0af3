#include "harness/sweep/counting/counting_worker.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "harness/sweep/workers/worker_process.hpp"

namespace uotbench {
namespace {

using Words = std::vector<std::string>;

constexpr const char* place_of_worker = "{worker}";
// Workers' programs are called so, and then by their names.
constexpr std::string_view program_prefix = "uotbench-worker-";

[[noreturn]] void skip(const std::string& why) { throw WorkerFailure{Status::skipped, why}; }

/// The launcher's words with those of the build in their place.
Words around(const Words& launcher, const Words& build) {
  Words words;
  for (const auto& word : launcher)
    if (word == place_of_worker)
      words.insert(words.end(), build.begin(), build.end());
    else
      words.push_back(word);
  return words;
}

bool is_launcher(const Manifest& source) {
  return std::ranges::find(source.command, place_of_worker) != source.command.end();
}

/// A launcher's own program may be there while the build that it launches is not.
void require_program(const Manifest& worker, const Manifest& source, const Words& build) {
  const std::string& program = build.front();
  if (program.find('/') != std::string::npos && ::access(program.c_str(), X_OK) != 0)
    skip(fmt::format("the build of worker {} for {} is not there: no program {}", worker.name, source.counts,
                     program));
}

}  // namespace

const Manifest* source_named(const std::vector<Manifest>& manifests, const std::string& source) {
  if (source.empty()) return nullptr;
  const auto found = std::ranges::find(manifests, source, &Manifest::counts);
  return found == manifests.end() ? nullptr : &*found;
}

bool names_build(const Manifest& worker, const Manifest& source) {
  return worker.name == source.name || worker.counted_by.contains(source.counts);
}

std::string counting_name(const Manifest& source, const Manifest& worker) {
  const auto build = worker.counted_by.find(source.counts);
  if (build == worker.counted_by.end() || is_launcher(source)) return source.name;
  const std::string program = std::filesystem::path(build->second.front()).filename();
  return program.starts_with(program_prefix) ? program.substr(program_prefix.size()) : source.name;
}

Manifest counting_worker(const Manifest& source, const Manifest& worker) {
  const auto refuse_where = [](const std::string& why) {
    if (!why.empty()) skip(why);
  };
  refuse_where(source.obstacle());
  Manifest manifest = source;
  if (const auto build = worker.counted_by.find(source.counts); build != worker.counted_by.end()) {
    manifest.name = counting_name(source, worker);
    manifest.command = is_launcher(source) ? around(source.command, build->second) : build->second;
    refuse_where(manifest.unbuilt());
    require_program(worker, source, build->second);
    return manifest;
  }
  // Manifests that lie together are of one build; what somebody gives may hold other kernels of the same
  // names.
  if (worker.name == source.name || (source.outside.empty() && !worker.given)) return manifest;
  if (source.outside.empty())
    skip(
        fmt::format("worker {} has no build for {}: uotbench_add_worker makes one, or its manifest names "
                    "one in counted_by",
                    worker.name, source.counts));
  if (worker.launches())
    skip(fmt::format("{} counts one process from outside; worker {} starts several", source.counts,
                     worker.name));
  manifest.command = around(source.outside, worker.command);
  manifest.environment.insert(manifest.environment.end(), worker.environment.begin(),
                              worker.environment.end());
  return manifest;
}

}  // namespace uotbench
