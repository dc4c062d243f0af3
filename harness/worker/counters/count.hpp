// The requests about counters, answered: which sources there are, and the step `count`.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/protocol/event_count.hpp"
#include "harness/protocol/messages.hpp"
#include "harness/worker/counters/counters.hpp"

namespace uotbench {

/// Loads the case from the folder of its inputs and counts it, for simulated sources in an Arena. What goes
/// wrong on the way is thrown.
EventCounts count_case(CounterSource& source, const Variant& variant, const Point& point,
                       const std::vector<int>& cpus, const std::filesystem::path& inputs,
                       const CountRequest& request);

/// The answer to `sources`: each with its obstacle; of the events that the request names, those that no
/// source knows.
SourcesReply sources_for(const SourcesRequest& request);

/// What the step `count` is asked for. Throws Error for a source that this worker lacks, one that cannot
/// count here, and a case that it refuses.
EventCounts counts_for(const run_step::Count& count, const std::string& case_id, const Variant& variant,
                       const Point& point, const std::vector<int>& cpus, const std::filesystem::path& inputs);

}  // namespace uotbench
