#include "harness/worker/counters/counters.hpp"

#include <fmt/format.h>

#include "harness/protocol/point_json.hpp"
#include "harness/worker/base/arena.hpp"
#include "harness/worker/platform.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

CounterSource& source_named(const std::string& name) {
  std::string known;
  for (const auto& source : counter_sources()) {
    if (source->name() == name) return *source;
    known += (known.empty() ? "" : ", ") + source->name();
  }
  throw Error(fmt::format("this worker has no counter source \"{}\"; it has {}", name,
                          known.empty() ? "none" : known));
}

/// Of a call, as of one of the iterations that it makes.
void divide(EventCounts& counts, double steps) {
  for (auto& [event, count] : counts) {
    if (!count.sum) continue;
    if (count.value) *count.value /= steps;
    for (auto& line : count.lines) line.value /= steps;
  }
}

}  // namespace

EventCounts count_case(CounterSource& source, const Variant& variant, const Point& point,
                       const std::vector<int>& cpus, const std::filesystem::path& inputs,
                       const CountRequest& request) {
  EventCounts counts;
  const auto act = [&] {
    enter_platform(point);
    const Team team(settings_of(point), cpus);
    Arrays arrays(inputs, false);
    source.loading();
    const auto instance = variant.load(point, arrays, team);
    instance->begin();
    counts = source.count(*instance, team, request);
  };
  if (!source.needs_arena()) {
    act();
    divide(counts, static_cast<double>(request.steps));
    return counts;
  }
  // What a variant says it takes, and half as much again for what it forgot; 64 MiB for what is small.
  const auto bytes = static_cast<std::size_t>(1.5 * variant.memory(point)) + (std::size_t{64} << 20);
  Arena arena(bytes);
  arena.run(act);
  divide(counts, static_cast<double>(request.steps));
  return counts;
}

SourcesReply sources_for(const SourcesRequest& request) {
  const auto said = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
  SourcesReply reply;
  for (const auto& source : counter_sources()) {
    const Obstacle obstacle = source->obstacle();
    SourceReply& one = reply.sources.emplace_back(SourceReply{.name = source->name(),
                                                              .simulated = source->simulated(),
                                                              .reason = said(obstacle.reason),
                                                              .mend = said(obstacle.mend)});
    const auto asked = request.events.find(one.name);
    if (asked == request.events.end()) continue;
    for (const auto& event : asked->second)
      if (const auto why = source->unknown(event); !why.empty()) one.unknown[event] = why;
  }
  return reply;
}

EventCounts counts_for(const run_step::Count& count, const std::string& case_id, const Variant& variant,
                       const Point& point, const std::vector<int>& cpus,
                       const std::filesystem::path& inputs) {
  CounterSource& source = source_named(count.source);
  if (const auto obstacle = source.obstacle(); !obstacle.reason.empty()) throw Error(obstacle.reason);
  if (const auto refusal = source.refusal(variant, point); !refusal.empty()) throw Error(refusal);
  const auto foreign = variant.spec().foreign_code;
  EventCounts counts = count_case(source, variant, point, cpus, inputs,
                                  {.events = count.events,
                                   .caches = ObjectDocument(count.caches),
                                   .variant = variant.spec().name,
                                   .case_id = case_id,
                                   .foreign_code = foreign ? foreign(point) : "",
                                   .cold = settings_of(point).cold,
                                   .seconds = 0.2,
                                   .steps = variant.steps(point)});
  for (auto& [event, counted] : counts) counted.simulated = counted.simulated || source.simulated();
  return counts;
}

}  // namespace uotbench
