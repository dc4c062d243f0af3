#include "harness/host/facts/machine.hpp"

#include <gmock/gmock.h>

#include <map>

#include "harness/host/process/cpu_use.hpp"
#include "harness/host/tests/made_tree.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

using testing::MatchesRegex;

constexpr auto cpuinfo =
    "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Test CPU "
    "9000\n"
    "stepping\t: 8\ncpu MHz\t\t: 2100.5\nflags\t\t: fpu sse avx2\n\nprocessor\t: 1\nmodel name\t: another\n";

// Absent is absent: nothing that was not seen may look like a measured 0 or an empty name.
TEST(MachineFacts, AreNullWhereNothingIsTold) {
  MadeTree tree;
  const Json facts = machine_facts(tree.root());
  for (const char* key : {"cpu", "vendor", "family", "model", "stepping", "flags_hash", "hypervisor"})
    EXPECT_TRUE(facts["hashed"][key].is_null()) << key;
  for (const char* key : {"os", "mhz", "governor", "turbo", "huge_pages", "aslr", "load", "memory"})
    EXPECT_TRUE(facts["recorded"][key].is_null()) << key;
  for (const char* part : {"hashed", "recorded"})
    for (const auto& [key, value] : facts[part].items()) EXPECT_NE(value, "") << key;
}

TEST(MachineFacts, ComeFromTheSystemsFiles) {
  MadeTree tree;
  tree.write("proc/cpuinfo", cpuinfo);
  tree.write("proc/meminfo", "MemTotal:        2048 kB\n");
  tree.write("proc/loadavg", "0.50 0.25 1.00 1/99 1234\n");
  tree.write("proc/sys/kernel/randomize_va_space", "2\n");
  tree.write("etc/os-release", "NAME=x\nPRETTY_NAME=\"Test Linux 1 (one)\"\n");
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  tree.write("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n");
  tree.write("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
  tree.write("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  const Json facts = machine_facts(tree.root());
  const Json& hashed = facts["hashed"];
  EXPECT_EQ(hashed["cpu"], "Test CPU 9000");
  EXPECT_EQ(hashed["vendor"], "GenuineIntel");
  EXPECT_EQ(hashed["family"], 6);
  EXPECT_EQ(hashed["model"], 143);
  EXPECT_EQ(hashed["stepping"], 8);
  EXPECT_TRUE(hashed["hypervisor"].is_null());
  const Json& recorded = facts["recorded"];
  EXPECT_EQ(recorded["os"], "Test Linux 1 (one)");
  EXPECT_TRUE(recorded["cpu_quota"].is_null());
  EXPECT_EQ(recorded["mhz"], 2100.5);
  EXPECT_EQ(recorded["governor"], "performance,powersave");
  EXPECT_EQ(recorded["turbo"], true);
  EXPECT_EQ(recorded["huge_pages"], "madvise");
  EXPECT_EQ(recorded["load"], Json({0.5, 0.25, 1.0}));
  EXPECT_EQ(recorded["memory"], 2048.0 * 1024);
}

// Arm names the same facts otherwise, in hexadecimal.
TEST(MachineFacts, ReadArmsNames) {
  MadeTree tree;
  tree.write("proc/cpuinfo",
             "processor\t: 0\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
             "CPU part\t: 0xd0c\nCPU revision\t: 1\n");
  const Json hashed = machine_facts(tree.root())["hashed"];
  EXPECT_EQ(hashed["vendor"], "0x41");
  EXPECT_EQ(hashed["family"], 8);
  EXPECT_EQ(hashed["model"], "0xd0c");
  EXPECT_EQ(hashed["stepping"], 1);
  EXPECT_FALSE(hashed["flags_hash"].is_null());
}

// A guest is not its host: times of the two are never compared.
TEST(MachineFacts, SeeAHypervisor) {
  MadeTree tree;
  tree.write("proc/cpuinfo", "flags\t: fpu hypervisor sse\n");
  EXPECT_TRUE(machine_facts(tree.root())["hashed"]["hypervisor"].is_string());
}

// What changes between two runs on one machine leaves the fingerprint alone; another CPU does not.
TEST(Fingerprint, IsOfTheMachineNotOfTheMoment) {
  MadeTree tree;
  tree.write("proc/cpuinfo", cpuinfo);
  const std::string first = machine_facts(tree.root())["fingerprint"];
  EXPECT_THAT(first, MatchesRegex("[0-9a-f]{16}"));

  tree.write("proc/loadavg", "9 9 9\n");
  tree.write("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "ondemand\n");
  std::string text = cpuinfo;
  text.replace(text.find("fpu sse avx2"), 12, "avx2 fpu sse");  // no order is promised
  text.replace(text.find("2100.5"), 6, "3500.0");
  tree.write("proc/cpuinfo", text);
  EXPECT_EQ(machine_facts(tree.root())["fingerprint"], first);

  text.replace(text.find("sse"), 3, "amx");
  tree.write("proc/cpuinfo", text);
  EXPECT_NE(machine_facts(tree.root())["fingerprint"], first);
}

TEST(Fingerprint, FollowsFromTheHashedPart) {
  const Json facts = machine_facts();
  EXPECT_EQ(fingerprint_of(facts["hashed"]), facts["fingerprint"]);
  EXPECT_GE(facts["hashed"]["logical_cpus"], 1);
  EXPECT_THAT(facts["recorded"]["time"].get<std::string>(),
              MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
}

// A kernel's update brings words of its own (its_no, tsc_known_freq): it is the same machine. New
// instructions are another one.
TEST(Fingerprint, KnowsNoWordsThatAKernelInvents) {
  MadeTree tree;
  const auto hash_with = [&](const std::string& words) {
    tree.write("proc/cpuinfo", "model name\t: C\nflags\t\t: fpu sse avx2 " + words + "\n");
    return machine_facts(tree.root())["fingerprint"].get<std::string>();
  };
  const std::string plain = hash_with("");
  EXPECT_EQ(hash_with("its_no tsc_known_freq sme cpuid_fault"), plain);
  EXPECT_NE(hash_with("avx512f"), plain);
  EXPECT_NE(hash_with("erms"), plain) << "the C library copies by it";
}

// A record says which job made it, and where that ran.

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
