#include "harness/host/facts/job.hpp"

#include <sys/utsname.h>

#include <cstdlib>

#include "harness/host/process/affinity.hpp"
#include "results/base/json.hpp"

namespace uotbench {

Json job_facts(const Told& told, const std::string& node, const std::string& cpus) {
  const auto text = [&](const char* name) -> std::string {
    const char* const value = told(name);
    return value ? value : "";
  };
  // sbatch(1), "OUTPUT ENVIRONMENT VARIABLES".
  const std::string id = text("SLURM_JOB_ID"), array = text("SLURM_ARRAY_JOB_ID");
  if (id.empty()) return Json::object();
  return {{"scheduler", "Slurm"},
          {"job", array.empty() ? id : array + "_" + text("SLURM_ARRAY_TASK_ID")},
          {"job_id", id},
          {"job_restarts", std::atoi(text("SLURM_RESTART_COUNT").c_str())},
          {"job_nodes", text("SLURM_JOB_NODELIST")},
          {"node", node},
          {"node_cpus", cpus}};
}

Json job_facts() {
  utsname system{};
  ::uname(&system);  // fails only for a bad pointer
  return job_facts([](const char* name) { return std::getenv(name); }, system.nodename, cpu_list(cpus_of(0)));
}

}  // namespace uotbench
