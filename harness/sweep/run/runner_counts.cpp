// The runner's half that counts: passes of their own, never while a case is timed.
#include <fmt/format.h>

#include <algorithm>

#include "harness/sweep/counting/counting.hpp"
#include "harness/sweep/run/runner.hpp"
#include "results/base/error.hpp"
#include "results/record/axes/case_parts.hpp"

namespace uotbench {

void Runner::count(const Group& group, const Case& member, Record& record) {
  if (const CounterPlan* const plan = options_.counters->of(member.worker)) {
    // Times and verification are kept, whatever becomes of this.
    record.counters = counted(*plan, group, member, record);
    if (const auto why = broken_requirement(plan->requests, record.counters); !why.empty()) {
      record.status = Status::failed;
      record.reason = why;
    }
  }
  progress_.advance();
}

void Runner::count_required(const Group& group, const Case& member, Record& record) {
  const CounterPlan* const plan = options_.counters->of(member.worker);
  if (!plan || settings_of(member.point).threads < 2) return;
  CounterPlan part;
  part.requests = required(plan->requests);
  part.caches = plan->caches;
  if (part.requests.empty()) return;
  record.counters = counted(part, group, member, record);
  if (const auto why = broken_requirement(part.requests, record.counters); !why.empty())
    record.reason = fmt::format("{}; {}", record.reason.value_or(""), why);
}

Counters Runner::counted(const CounterPlan& plan, const Group& group, const Case& member, Record& record) {
  return uotbench::count(
      plan,
      [&](const std::string& source, const std::vector<std::string>& events) {
        progress_.doing(member.id, "counting: " + source);
        try {
          EventCounts counts;
          files_->watched(member.worker,
                          [&] { counts = ask_source(group, member, record, plan.caches, source, events); });
          return counts;
        } catch (const WorkerFailure&) {
          throw;
        } catch (const Error& error) {
          throw WorkerFailure{Status::failed, error.what()};
        }
      },
      [&](const std::string& source) {
        const Manifest* const elsewhere = counts_elsewhere(member, source);
        if (!elsewhere || elsewhere->name == member.worker) return std::string();
        return counting_name(*elsewhere, pool_.manifest(member.worker));
      });
}

/// Why a source in the worker's own process cannot count at all; asked once a worker.
std::string Runner::obstacle_of(const std::string& worker, const std::string& source) {
  if (!pool_.manifest(worker).does(step::count)) return fmt::format("worker {} does not count", worker);
  const auto [known, is_new] = sources_.try_emplace(worker);
  if (is_new) try {
      known->second = pool_.process(worker).ask(SourcesRequest{}, pool_.context().timeout);
    } catch (const WorkerFailure&) {  // it knows no such request: it has none
    }
  for (const auto& one : known->second.sources)
    if (one.name == source) {
      if (!one.reason) return "";
      return *one.reason + (one.mend ? "; mended by: " + *one.mend : "");
    }
  return fmt::format("worker {} has no counter source {}", worker, source);
}

/// The worker that is this source, where it counts the case; null: the case's own worker does.
const Manifest* Runner::counts_elsewhere(const Case& member, const std::string& source) {
  const Manifest* const manifest = source_named(pool_.manifests(), source);
  if (!manifest) return nullptr;
  const Manifest& its = pool_.manifest(member.worker);
  if (names_build(its, *manifest)) return manifest;
  return its.does(step::count) && !obstacle_of(member.worker, source).empty() ? manifest : nullptr;
}

/// Whether what simulates caches is told by its command how large they are.
bool takes_caches(const Manifest& manifest) {
  const auto names_one = [](const std::string& text) { return text.find("{cache:") != std::string::npos; };
  return std::ranges::any_of(manifest.command, names_one) ||
         std::ranges::any_of(manifest.environment, names_one);
}

EventCounts Runner::ask_source(const Group& group, const Case& member, Record& record,
                               const CacheShapes& caches, const std::string& source,
                               const std::vector<std::string>& events) {
  const Manifest* const other = counts_elsewhere(member, source);
  if (!other)
    if (const auto obstacle = obstacle_of(member.worker, source); !obstacle.empty())
      throw WorkerFailure{Status::skipped, obstacle};
  const Settings settings = settings_of(member.point);
  Manifest manifest = pool_.manifest(member.worker);
  if (other) {
    manifest = counting_worker(*other, manifest);
    if (!caches.obstacle.empty() && takes_caches(manifest))
      throw WorkerFailure{Status::skipped, caches.obstacle};
    manifest = manifest.with({{"folder", files_->folder().string()},
                              {"cache:L1D", valgrind_shape(caches.l1)},
                              {"cache:L2", valgrind_shape(caches.l2)},
                              {"cache:L3", valgrind_shape(caches.l3)}});
    if (const auto obstacle = manifest.refusal(settings); !obstacle.empty())
      throw WorkerFailure{Status::skipped, obstacle};
  }
  const Session session = session_of(group, member, manifest);
  const auto process = session.start();
  // Another build than the one that is judged and timed: which, the record says.
  if (other && other->name != member.worker) record.env.add_counting_build(manifest.name, process->build());
  run_step::Count count{.source = source, .events = events};
  if (caches.obstacle.empty()) count.caches = document_of(caches);
  const RunReply reply = process->ask(session.request(count), options_.measure.case_timeout);
  if (!record.work && !other) record.work = reply.work;
  return *reply.counts;
}

}  // namespace uotbench
