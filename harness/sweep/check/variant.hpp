// One variant of a worker, checked: what it plans, whether it is right, what it says of time.
#pragma once

#include <vector>

#include "harness/sweep/check/session.hpp"
#include "harness/sweep/workers/problem_files.hpp"
#include "results/base/object_document.hpp"

namespace uotbench {

/// A point of the variant, with its problem.
struct Probe {
  std::string id;                 ///< of the case
  ObjectDocument problem;         ///< the family's axes
  ObjectDocument point;           ///< all axes
  double bytes;                   ///< of its arrays
  std::vector<int> judged_after;  ///< iterations, as the oracle says of this problem
  int steps = 1;                  ///< iterations that the variant makes at a time
};

RunRequest run_request(const VariantInfo& variant, const Probe& probe, const ProblemFiles& files,
                       const RunStep& step, std::int64_t iterations);

/// The probe's inputs and poisoned outputs, until the next.
ProblemFiles problem_files(CheckSession& session, const VariantInfo& variant, const Probe& probe);
/// Throws Wrong where one was changed.
void require_inputs(ProblemFiles& files);

void check_variant(CheckSession& session, const VariantInfo& variant);

/// Asks for samples and holds them against the clock.
void check_time(CheckSession& session, const VariantInfo& variant, const Probe& probe);

}  // namespace uotbench
