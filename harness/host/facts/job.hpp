// Which job of a cluster's scheduler this process belongs to.
#pragma once

#include <functional>
#include <string>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// What is told under a name in the environment; null: nothing.
using Told = std::function<const char*(const char*)>;

/// For every record that the job makes: `scheduler`, `job` as `squeue` shows it, `job_id`, `job_restarts`,
/// `job_nodes`, and of this process `node` and `node_cpus`, the CPUs that it may use there. Empty where there
/// is no scheduler that is known here (Slurm).
Json job_facts();
Json job_facts(const Told& told, const std::string& node, const std::string& cpus);

}  // namespace uotbench
