// A record says which job made it, and where that ran.
#include "harness/host/facts/job.hpp"

#include <gmock/gmock.h>

#include <map>

#include "harness/host/process/affinity.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

Json facts_of(const std::map<std::string, std::string>& environment) {
  return job_facts(
      [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
      },
      "n7", "0-3,8");
}

TEST(Job, IsNamedAsItsSchedulerDoes) {
  const Json facts = facts_of({{"SLURM_JOB_ID", "15"}, {"SLURM_JOB_NODELIST", "n[7-8]"}});
  EXPECT_EQ(facts, (Json{{"scheduler", "Slurm"},
                         {"job", "15"},
                         {"job_id", "15"},
                         {"job_restarts", 0},
                         {"job_nodes", "n[7-8]"},
                         {"node", "n7"},
                         {"node_cpus", "0-3,8"}}));
}

TEST(Job, OfAnArrayThatWasRequeuedSaysBoth) {
  const Json facts = facts_of({{"SLURM_JOB_ID", "15"},
                               {"SLURM_ARRAY_JOB_ID", "12"},
                               {"SLURM_ARRAY_TASK_ID", "3"},
                               {"SLURM_RESTART_COUNT", "2"},
                               {"SLURM_JOB_NODELIST", "n7"}});
  EXPECT_EQ(facts.at("job"), "12_3");
  EXPECT_EQ(facts.at("job_id"), "15");
  EXPECT_EQ(facts.at("job_restarts"), 2);
}

TEST(Job, IsAbsentWithoutAScheduler) { EXPECT_EQ(facts_of({{"HOME", "/root"}}), Json::object()); }

TEST(CpuList, JoinsNeighbours) {
  EXPECT_EQ(cpu_list({}), "");
  EXPECT_EQ(cpu_list({5}), "5");
  EXPECT_EQ(cpu_list({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
}

}  // namespace
}  // namespace uotbench
