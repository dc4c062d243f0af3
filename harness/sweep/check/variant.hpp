// One variant of a worker, checked: what it plans, whether it is right, what it says of time.
#pragma once

#include "harness/sweep/check/check_worker.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/workers/problem_files.hpp"

namespace uotbench {

/// A point of the variant, as a plan has it.
struct Probe {
  Group group;  ///< its problem, without cases
  Case member;
};

RunRequest run_request(const Probe& probe, const ProblemFiles& files, const RunStep& step,
                       std::int64_t iterations);

/// The probe's inputs and poisoned outputs, until the next.
ProblemFiles problem_files(CheckSession& session, const Probe& probe);
/// Throws Wrong where one was changed.
void require_inputs(ProblemFiles& files);

void check_variant(CheckSession& session, const VariantInfo& variant);

/// Asks for samples and holds them against the clock.
void check_time(CheckSession& session, const VariantInfo& variant, const Probe& probe);

}  // namespace uotbench
