// Sources of counters that are workers: which process counts the cases of which worker.
#pragma once

#include <string>
#include <vector>

#include "harness/sweep/workers/manifest.hpp"

namespace uotbench {

/// The manifest that is this source; null: workers have it in their own processes, if at all.
const Manifest* source_named(const std::vector<Manifest>& manifests, const std::string& source);

/// Whether the worker says who counts its cases by this source: its manifest names a build, or is the source
/// itself.
bool names_build(const Manifest& worker, const Manifest& source);

/// What counted is called in records: the source's manifest, or the build, where that alone is the source.
std::string counting_name(const Manifest& source, const Manifest& worker);

/// What is launched to count cases of `worker` by `source`: the source's command with the worker's build in
/// the place of {worker}, or where it says no {worker}, that build alone. A worker that names no build is
/// counted from outside, where the source can do that, else by the source's own command, unless the worker
/// was given on the command line. Throws WorkerFailure, skipped, where there is no such process, or it cannot
/// be started here.
Manifest counting_worker(const Manifest& source, const Manifest& worker);

}  // namespace uotbench
