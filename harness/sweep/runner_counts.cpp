// The runner's half that counts: passes of their own, never while a case is timed.
#include <fmt/format.h>

#include <algorithm>

#include "harness/sweep/runner.hpp"
#include "results/error.hpp"

namespace uotbench {
namespace {

/// The worker that is this source; null: a worker's own process has it.
const Manifest* counting_worker(const Crew& crew, const std::string& source) {
  const auto found = std::ranges::find(crew.manifests(), source, &Manifest::counts);
  return found == crew.manifests().end() ? nullptr : &*found;
}

}  // namespace

void Runner::count(const Group& group, const Case& member, Record& record) {
  // Times and judgement stand, whatever becomes of this.
  record.counters = uotbench::count(
      *options_.counters,
      [&](const std::string& source, const std::vector<std::string>& events) {
        progress_.doing(member.id, "counting: " + source);
        try {
          return ask_source(group, member, record, source, events);
        } catch (const Json::exception&) {
          throw WorkerFailure{Status::failed, "the worker answered wrongly: no record with counts"};
        } catch (const Error& error) {
          throw WorkerFailure{Status::failed, error.what()};
        }
      },
      [&](const std::string& source) {
        const Manifest* const worker = counting_worker(crew_, source);
        return worker ? worker->name : "";
      });
  progress_.advance();
}

/// Why a source in the worker's own process cannot count at all; asked once a worker.
std::string Runner::obstacle_of(const std::string& worker, const std::string& source) {
  if (!sources_.contains(worker)) {
    sources_[worker] = Json::array();  // of one that knows no such request
    try {
      sources_[worker] =
          crew_.process(worker)
              .ask({{"type", "sources"}, {"events", Json::object()}}, "sources", crew_.timeout())
              .at("sources");
    } catch (const WorkerFailure&) {
    }
  }
  for (const auto& one : sources_[worker])
    if (one.at("name") == source) {
      if (one.at("reason").is_null()) return "";
      const Json mend = one.value("mend", Json());
      return one["reason"].get<std::string>() +
             (mend.is_string() ? "; mended by: " + mend.get<std::string>() : "");
    }
  return fmt::format("worker {} has no counter source {}", worker, source);
}

Json Runner::ask_source(const Group& group, const Case& member, Record& record, const std::string& source,
                        const std::vector<std::string>& events) {
  const Manifest* const other = counting_worker(crew_, source);
  if (!other)
    if (const auto obstacle = obstacle_of(member.worker, source); !obstacle.empty())
      throw WorkerFailure{Status::skipped, obstacle};
  const CacheShapes& caches = options_.counters->caches;
  Manifest manifest = other ? *other : crew_.manifest(member.worker);
  if (other) {
    if (!caches.obstacle.empty()) throw WorkerFailure{Status::skipped, caches.obstacle};
    manifest = other->with({{"folder", arrays_.string()},
                            {"cache:L1D", valgrind_shape(caches.l1)},
                            {"cache:L2", valgrind_shape(caches.l2)},
                            {"cache:L3", valgrind_shape(caches.l3)}});
    if (const auto obstacle = manifest.obstacle(); !obstacle.empty())
      throw WorkerFailure{Status::skipped, obstacle};
  }
  Supervision supervision = crew_.supervision();
  supervision.cpus = cpus_for(member);
  supervision.on_text = [&](std::string_view line) { progress_.text(member.id, line); };
  WorkerProcess process(manifest, supervision, crew_.timeout());
  // Another build than the one that is judged and timed: which, the record says.
  if (other) record.env["counted_by"][other->name] = process.build();
  Json message = request(group, member, "count");
  message["count"] = {{"source", source}, {"events", events}, {"caches", to_json(caches)}};
  return process.ask(message, "record", options_.measure.case_timeout).at("counts");
}

}  // namespace uotbench
