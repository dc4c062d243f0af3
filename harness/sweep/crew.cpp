#include "harness/sweep/crew.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/protocol/suggest.hpp"
#include "results/error.hpp"

namespace uotbench {
namespace {

std::vector<Axis> axes_from(const Json& list) {
  std::vector<Axis> axes;
  for (const auto& axis : list) axes.push_back(axis_from(axis));
  return axes;
}

}  // namespace

Crew::Crew(std::vector<Manifest> manifests, Supervision supervision, double timeout)
    : manifests_(std::move(manifests)), supervision_(std::move(supervision)), timeout_(timeout) {
  for (const auto& manifest : manifests_)
    if (manifest.judge) judge_ = manifest.name;
  if (judge_.empty()) throw UsageError("no worker manifest says \"judge\": true: nothing could be verified");
}

const Manifest& Crew::manifest(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& manifest : manifests_) {
    if (manifest.name == name) return manifest;
    names.push_back(manifest.name);
  }
  throw UsageError(
      fmt::format("no worker \"{}\"{}; known: {}", name, did_you_mean(name, names), fmt::join(names, ", ")));
}

std::string Crew::best_worker() const {
  const Manifest* best = nullptr;
  std::string obstacles;
  for (const auto& manifest : manifests_) {
    if (manifest.rank == 0 || manifest.judge) continue;
    if (const auto obstacle = manifest.obstacle(); !obstacle.empty()) {
      obstacles += (obstacles.empty() ? "" : "; ") + obstacle;
    } else if (!best || manifest.rank > best->rank) {
      best = &manifest;
    }
  }
  if (!best) throw UsageError(fmt::format("no worker can run here: {}", obstacles));
  return best->name;
}

WorkerProcess& Crew::process(const std::string& worker) {
  auto& process = processes_[worker];
  if (!process || !process->alive()) {
    process.reset();
    process = std::make_unique<WorkerProcess>(manifest(worker), supervision_, timeout_);
  }
  return *process;
}

const std::map<std::string, FamilyInfo>& Crew::families() {
  if (!families_.empty()) return families_;
  if (const auto obstacle = manifest(judge_).obstacle(); !obstacle.empty()) throw UsageError(obstacle);
  try {
    const Json answer = oracle().ask({{"type", "describe"}}, "described", timeout_);
    for (const auto& family : answer.at("families"))
      families_[family.at("name")] = {.name = family.at("name"),
                                      .summary = family.value("summary", ""),
                                      .axes = axes_from(family.at("axes")),
                                      .iterations = family.value("iterations", 10)};
  } catch (const WorkerFailure& failure) {
    throw UsageError(fmt::format("worker {}: {}", judge_, failure.reason));
  } catch (const Json::exception& error) {
    throw UsageError(fmt::format("worker {} describes itself wrongly: {}", judge_, error.what()));
  }
  return families_;
}

const Roster& Crew::roster(const std::string& worker) {
  if (const auto found = rosters_.find(worker); found != rosters_.end()) return found->second;
  Roster roster;
  try {
    if (const auto obstacle = manifest(worker).obstacle(); !obstacle.empty())
      throw WorkerFailure{Status::skipped, obstacle};
    const Json answer = process(worker).ask({{"type", "describe"}}, "described", timeout_);
    roster.build = process(worker).build();
    for (const auto& variant : answer.at("variants")) {
      const Json tolerance = variant.value("tolerance", Json());
      const std::string name = variant.at("name");
      roster.variants[name] = {
          .name = name,
          .summary = variant.value("summary", ""),
          .axes = axes_from(variant.value("axes", Json::array())),
          .tolerance = tolerance.is_null() ? std::nullopt : std::optional<double>(tolerance)};
    }
  } catch (const WorkerFailure& failure) {
    roster = {.variants = {}, .build = {}, .failure = failure};
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    roster = {.variants = {},
              .build = {},
              .failure = WorkerFailure{Status::failed, fmt::format("worker {} describes itself wrongly: {}",
                                                                   worker, error.what())}};
  }
  return rosters_[worker] = std::move(roster);
}

}  // namespace uotbench
