#include "harness/host/findings/doctor.hpp"

#include <gmock/gmock.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "harness/host/process/perf_obstacle.hpp"
#include "harness/host/tests/made_tree.hpp"

namespace uotbench {
namespace {

using enum Finding::Level;
using enum PerfReach;
using testing::EndsWith;
using testing::HasSubstr;

/// The finding whose text begins with `subject`.
Finding about(const std::vector<Finding>& findings, const std::string& subject) {
  for (const Finding& finding : findings)
    if (finding.what.starts_with(subject)) return finding;
  ADD_FAILURE() << "nothing is said about " << subject;
  return {};
}

// No finding claims what it did not look at: where nothing can be read, nothing is called good.
TEST(Doctor, CallsNothingGoodThatItCannotSee) {
  MadeTree tree;
  for (const Finding& finding : settings_findings(tree.root()))
    if (!finding.what.starts_with("virtual machine")) {
      EXPECT_EQ(finding.level, note) << finding.what;
      EXPECT_THAT(finding.what, HasSubstr("not reported here"));
      EXPECT_EQ(finding.mend, "") << finding.what;
    }
  for (const Finding& finding : load_findings(tree.root())) EXPECT_EQ(finding.level, note) << finding.what;
}

TEST(Doctor, WarnsOfACpuQuota) {
  MadeTree tree;
  tree.write("proc/self/cgroup", "0::/job\n");
  tree.write("sys/fs/cgroup/job/cpu.max", "25000 100000\n");
  const Finding finding = about(load_findings(tree.root()), "CPU quota");
  EXPECT_EQ(finding.level, warning);
  EXPECT_EQ(finding.what, "CPU quota: 0.25 CPUs");
  EXPECT_THAT(finding.cost, HasSubstr("times are of bursts"));
}

TEST(Doctor, NamesEverySettingThatCostsTime) {
  MadeTree tree;
  tree.write("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n");
  tree.write("sys/devices/system/cpu/cpufreq/boost", "1\n");
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
  tree.write("sys/devices/system/cpu/smt/active", "1\n");
  tree.write("sys/hypervisor/type", "xen\n");
  const auto findings = settings_findings(tree.root());
  for (const char* subject : {"frequency governor: powersave", "turbo: on", "transparent huge pages: never",
                              "virtual machine: xen"}) {
    const Finding finding = about(findings, subject);
    EXPECT_EQ(finding.level, warning) << subject;
    EXPECT_NE(finding.cost, "") << subject;
  }
  EXPECT_THAT(about(findings, "turbo").mend, HasSubstr("tee /sys/devices/system/cpu/cpufreq/boost"));
  EXPECT_EQ(about(findings, "SMT: on").level, note);
}

TEST(Doctor, IsContentWithAQuietMachine) {
  MadeTree tree;
  tree.write("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n");
  tree.write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
  tree.write("sys/devices/system/cpu/smt/active", "0\n");
  tree.write("proc/sys/kernel/randomize_va_space", "0\n");
  for (const Finding& finding : settings_findings(tree.root())) {
    EXPECT_EQ(finding.level, ok) << finding.what;
    EXPECT_EQ(finding.cost, "") << finding.what;
  }
}

TEST(Doctor, WarnsOfALoadedMachine) {
  MadeTree tree;
  tree.write("proc/loadavg", "100000.00 0.25 1.00 1/99 1234\n");
  EXPECT_EQ(about(load_findings(tree.root()), "load: 100000.00").level, warning);
  tree.write("proc/loadavg", "0.00 0.25 1.00 1/99 1234\n");
  EXPECT_EQ(about(load_findings(tree.root()), "load: 0.00").level, ok);
}

// What a run is told before it starts: the load alone where no process is visible.
TEST(BusyText, IsEmptyOnAQuietMachine) {
  MadeTree tree;
  tree.write("proc/loadavg", "100000.00 0.25 1.00 1/99 1234\n");
  EXPECT_EQ(busy_text(tree.root()).find("load: 100000.00 over the last minute"), 0u);
  tree.write("proc/loadavg", "0.00 0.25 1.00 1/99 1234\n");
  EXPECT_EQ(busy_text(tree.root()), "");
}

TEST(Doctor, SaysWhatAMissingProgramCosts) {
  MadeTree tree;
  const char* path = std::getenv("PATH");
  const std::string before = path ? path : "";
  ::setenv("PATH", tree.root().c_str(), 1);
  const auto findings = software_findings(tree.root());
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(about(findings, "program valgrind: not in PATH").level, note);
  EXPECT_EQ(about(findings, "program gnuplot: not in PATH").cost, "no figures");
  EXPECT_EQ(about(findings, "CUDA").cost,
            "no cuda worker: CUDA kernels are verified and counted by simt and simt-trace, not timed");
  EXPECT_EQ(about(findings, "program ncu: not in PATH").level, note);
}

// gnuplot draws without letters where there is no font, and says nothing.
TEST(Doctor, WarnsOfAMachineWithoutFonts) {
  MadeTree tree;
  const char* path = std::getenv("PATH");
  const std::string before = path ? path : "";
  const auto about_fonts = [&](const std::string& listed) {
    tree.write("bin/fc-list", "#!/bin/sh\nprintf '%s' '" + listed + "'\n");
    std::filesystem::permissions(tree.root() / "bin/fc-list", std::filesystem::perms::owner_all);
    ::setenv("PATH", ((tree.root() / "bin").string() + ":" + before).c_str(), 1);
    const auto findings = software_findings(tree.root());
    ::setenv("PATH", before.c_str(), 1);
    return about(findings, "fonts");
  };
  const Finding none = about_fonts("");
  EXPECT_EQ(none.level, warning);
  EXPECT_EQ(none.what, "fonts: none installed");
  EXPECT_EQ(none.cost, "no figures: they would have no letters");
  EXPECT_EQ(about_fonts("DejaVu Serif\nNimbus Roman\n").level, note);
  EXPECT_EQ(about_fonts("DejaVu Serif\nLiberation Sans\n").level, ok);
}

TEST(Doctor, NamesVariablesThatSlowLibraries) {
  EXPECT_EQ(about(examine_host(), "environment").level, ok);
  ::setenv("OPENBLAS_CORETYPE", "Prescott", 1);
  const Finding finding = about(examine_host(), "environment");
  ::unsetenv("OPENBLAS_CORETYPE");
  EXPECT_EQ(finding.level, warning);
  EXPECT_EQ(finding.what, "environment: OPENBLAS_CORETYPE=Prescott");
}

// A release that does not know the CPU runs the kernels of 2004.
TEST(Doctor, NamesAnOpenBlasThatFallsBack) {
  const Finding old = openblas_finding("Prescott", 512);
  EXPECT_EQ(old.level, warning);
  EXPECT_EQ(old.what,
            "library libopenblas.so.0: found, falls back to Prescott kernels (128-bit vectors) on a CPU with "
            "512-bit vectors");
  EXPECT_EQ(old.cost,
            "programs that link it are slow here; workers ask it for SkylakeX kernels instead, and their "
            "records say so (blas_core_replaced)");
  EXPECT_EQ(old.mend, "tools/newer_openblas");
  EXPECT_EQ(openblas_finding("SkylakeX", 512).level, ok);
  EXPECT_EQ(openblas_finding("Tomorrow", 512).what,
            "library libopenblas.so.0: found, chooses Tomorrow kernels for this CPU");
}

// Whatever the machine: every subject is answered, in one line, and only good news has no cost or is a note.
TEST(Doctor, AnswersEverySubjectOnThisMachine) {
  const auto findings = examine_host();
  for (const char* subject :
       {"frequency governor", "turbo", "transparent huge pages", "address randomization", "SMT",
        "virtual machine", "load", "other processes", "shared memory", "hardware counters", "built with",
        "library libopenblas.so.0", "program valgrind", "program gnuplot", "fonts", "CUDA"})
    about(findings, subject);
  for (const Finding& finding : findings) {
    EXPECT_EQ((finding.what + finding.cost + finding.mend).find('\n'), std::string::npos) << finding.what;
    const bool good = finding.level == ok;
    EXPECT_TRUE(!good || (finding.cost + finding.mend).empty()) << finding.what;
    EXPECT_TRUE(finding.level < warning || !finding.cost.empty()) << finding.what;
  }
}

std::string reason(int error, const MadeTree& tree, PerfReach reach = user) {
  return perf_obstacle(error, reach, tree.root()).reason;
}

TEST(PerfObstacle, TellsAMachineWithoutCountersFromACpuWithoutTheEvent) {
  const MadeTree tree;
  tree.write("sys/bus/event_source/devices/software/type", "1");
  EXPECT_EQ(reason(ENOENT, tree), "this machine offers none (virtual machines often hide them)");
  EXPECT_EQ(reason(EIO, tree), reason(ENOENT, tree));
  tree.write("sys/bus/event_source/devices/cpu_core/type", "4");
  EXPECT_EQ(reason(ENOENT, tree), "this CPU does not count it");
  EXPECT_EQ(reason(EIO, tree), "this machine offers none (virtual machines often hide them)");
}

TEST(PerfObstacle, NamesTheSettingThatForbidsAndHowFarItMustGo) {
  const MadeTree tree;
  tree.write("proc/sys/kernel/perf_event_paranoid", "3\n");
  for (const auto& [reach, most] :
       {std::pair{user, "=2"}, std::pair{kernel, "=1"}, std::pair{machine, "=0"}}) {
    const auto obstacle = perf_obstacle(EACCES, reach, tree.root());
    EXPECT_EQ(obstacle.reason, "forbidden, kernel.perf_event_paranoid is 3");
    EXPECT_THAT(obstacle.mend, EndsWith(std::string("sysctl kernel.perf_event_paranoid") + most));
    EXPECT_EQ(obstacle.text(), obstacle.reason + "; mended by: " + obstacle.mend);
  }
  EXPECT_EQ(reason(EPERM, tree), "forbidden, kernel.perf_event_paranoid is 3");
}

TEST(PerfObstacle, TellsAContainerFromASetting) {
  const MadeTree tree;
  tree.write("proc/sys/kernel/perf_event_paranoid", "2\n");
  EXPECT_EQ(reason(EACCES, tree, machine), "forbidden, kernel.perf_event_paranoid is 2");
  EXPECT_EQ(reason(EPERM, tree, machine),
            "forbidden (a container's seccomp filter, perhaps; docker and podman take --cap-add PERFMON)");
  EXPECT_EQ(reason(EACCES, tree), "forbidden (by a security module such as SELinux, perhaps)");
  EXPECT_EQ(perf_obstacle(EPERM, user, tree.root()).text(), reason(EPERM, tree)) << "no command mends it";
}

TEST(PerfObstacle, KnowsTheOtherErrors) {
  const MadeTree tree;
  EXPECT_EQ(reason(ENOSYS, tree), "this kernel is built without perf events (CONFIG_PERF_EVENTS)");
  EXPECT_EQ(reason(EBUSY, tree), "another program holds the counter");
  EXPECT_EQ(perf_obstacle(EMFILE, user, tree.root()).text(),
            "too many open files; mended by: ulimit -n 65536");
  EXPECT_EQ(reason(EINVAL, tree), "the kernel takes no such event (EINVAL)");
  EXPECT_EQ(reason(ENOMEM, tree), "perf_event_open: Cannot allocate memory");
}

TEST(PerfObstacle, IsTriedForReal) {
  const int error = try_cycles();
  EXPECT_TRUE(error == 0 || !perf_obstacle(error, user).reason.empty());
}

}  // namespace
}  // namespace uotbench
