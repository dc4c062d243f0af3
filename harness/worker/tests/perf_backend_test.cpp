// perf_event_open counts every thread of this process: for real with the kernel's own events, which need no
// PMU, and with made registers where hardware would be.
#include "harness/worker/counters/perf_backend.hpp"

#include <gmock/gmock.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <thread>

#include "harness/host/process/perf_obstacle.hpp"
#include "harness/host/tests/made_tree.hpp"
#include "harness/worker/counters/hardware_source.hpp"
#include "harness/worker/tests/counting.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

class PerfTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const Obstacle obstacle = PerfBackend().obstacle(); !obstacle.reason.empty())
      GTEST_SKIP() << "perf_event_open: " << obstacle.reason;
  }
  static EventCounts count(Instance& instance, const CountRequest& wanted,
                           std::unique_ptr<PerfBackend> backend = std::make_unique<PerfBackend>()) {
    return HardwareSource(std::move(backend)).count(instance, Team(1, {}), wanted);
  }
};

TEST_F(PerfTest, CountsPageFaultsPerIteration) {
  InstanceOf instance([] { touch_fresh_pages(100); });
  const auto counts = count(instance, request({"page-faults", "minor-faults", "task-clock"}, 0.2));
  ASSERT_GT(instance.iterations, 2);
  EXPECT_GE(*counts.at("page-faults").value, 100);
  EXPECT_LT(*counts.at("page-faults").value, 110);
  EXPECT_EQ(counts.at("page-faults").value, counts.at("minor-faults").value);
  EXPECT_EQ(counts.at("page-faults").running, 1);
  EXPECT_FALSE(counts.at("page-faults").socket_wide);
  EXPECT_GT(*counts.at("task-clock").value, 1e-6) << "100 page faults take microseconds";
  EXPECT_LT(*counts.at("task-clock").value, 1);
  EXPECT_EQ(counts.at("task-clock").note, "in seconds");
}

// OpenMP's and OpenBLAS's threads live on from one iteration to the next; others are born in each.
TEST_F(PerfTest, CountsThreadsThatAreThereAndThreadsThatComeLater) {
  ThreeThreads instance;
  const auto counts = count(instance, request({"page-faults"}, 0.2));
  EXPECT_GE(*counts.at("page-faults").value, 700);
  EXPECT_LT(*counts.at("page-faults").value, 760);
}

// They happen in the kernel: 0 would be a lie where that must not be looked into.
TEST_F(PerfTest, SwitchesAreCountedOrRefusedButNeverZero) {
  InstanceOf instance([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
  const auto switches = count(instance, request({"context-switches"})).at("context-switches");
  if (switches.value) {
    EXPECT_GE(*switches.value, 1);
  } else {
    EXPECT_THAT(switches.reason, HasSubstr("the source os counts these, too"));
  }
}

TEST_F(PerfTest, AMachineWithoutAPmuSaysSoForEachEvent) {
  if (try_cycles() == 0) GTEST_SKIP() << "this one has a PMU";
  InstanceOf instance;
  const auto counts =
      count(instance, request({"cycles", "page-faults", "L1-dcache-load-misses", "nonsense"}));
  for (const char* name : {"cycles", "L1-dcache-load-misses"}) {
    EXPECT_EQ(counts.at(name).value, std::nullopt);
    EXPECT_THAT(counts.at(name).reason, testing::StartsWith(std::string(name) + ": "))
        << counts.at(name).reason;
  }
  EXPECT_THAT(counts.at("nonsense").reason, HasSubstr("perf has no event \"nonsense\""));
  EXPECT_TRUE(counts.at("page-faults").value.has_value());
}

TEST_F(PerfTest, AMachineWithAPmuCountsInstructions) {
  if (try_cycles() != 0) GTEST_SKIP() << "no hardware counters here";
  InstanceOf instance([] {
    for (volatile int left = 100000; left != 0;) left = left - 1;
  });
  const auto counts = count(instance, request({"instructions", "cycles"}, 0.2));
  EXPECT_GT(*counts.at("instructions").value, 1e5);
  EXPECT_LT(*counts.at("instructions").value, 1e7);
  EXPECT_GT(*counts.at("cycles").value, 1e4);
}

/// A PMU in a made /sys, whose events are page faults in truth, at most `registers` in a group.
class MadePmu {
 public:
  explicit MadePmu(std::size_t registers, int error = 0) : registers_(registers), error_(error) {
    const std::string cpu = "sys/bus/event_source/devices/";
    tree_.write(cpu + "cpu/type", "4");
    tree_.write(cpu + "power/type", "9");
    tree_.write(cpu + "power/cpumask", "0");
    tree_.write(cpu + "power/format/event", "config:0-7");
    tree_.write(cpu + "power/events/energy-pkg", "event=2");
    tree_.write(cpu + "power/events/energy-pkg.scale", "0.5");
    tree_.write(cpu + "power/events/energy-pkg.unit", "Joules");
    tree_.write("proc/sys/kernel/perf_event_paranoid", "2");
  }
  std::unique_ptr<PerfBackend> backend() {
    return std::make_unique<PerfBackend>(tree_.root(),
                                         [this](auto& attributes, pid_t thread, int cpu, int leader) {
                                           return open(attributes, thread, cpu, leader);
                                         });
  }
  int opened = 0;
  int most_in_a_group = 0;
  std::vector<int> cpus;
  bool kernel_excluded = true;

 private:
  int open(perf_event_attr attributes, pid_t thread, int cpu, int leader) {
    if (error_ != 0) return -error_;
    if (leader >= 0 && groups_[leader] >= registers_) return -EINVAL;
    kernel_excluded = kernel_excluded && attributes.exclude_kernel;
    cpus.push_back(cpu);
    if (cpu >= 0) thread = 0;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_PAGE_FAULTS;
    attributes.exclude_kernel = 1;  // whoever runs this test may count that
    const int fd = static_cast<int>(::syscall(SYS_perf_event_open, &attributes, thread, -1, leader, 0));
    if (fd < 0) return -errno;
    groups_[leader < 0 ? fd : leader] = leader < 0 ? 1 : groups_[leader] + 1;
    most_in_a_group = std::max(most_in_a_group, static_cast<int>(groups_[leader < 0 ? fd : leader]));
    ++opened;
    return fd;
  }

  MadeTree tree_;
  std::size_t registers_;
  int error_;
  std::map<int, std::size_t> groups_;
};

TEST_F(PerfTest, PacksAGroupWithWhatTheKernelTakes) {
  MadePmu pmu(2);
  InstanceOf instance([] { touch_fresh_pages(10); });
  const auto counts =
      count(instance, request({"cycles", "instructions", "cache-misses", "L1-dcache-loads", "r1c2"}),
            pmu.backend());
  EXPECT_EQ(counts.size(), 5u);
  for (const auto& [name, event] : counts)
    EXPECT_GE(event.value.value_or(0), 10) << name << ": " << event.reason;
  EXPECT_EQ(pmu.most_in_a_group, 2);
  EXPECT_EQ(instance.iterations, 1 + 3) << "five events, two at a time";
  EXPECT_TRUE(pmu.kernel_excluded);
}

TEST_F(PerfTest, CountsAWholeSocketOnItsCpu) {
  MadePmu pmu(4);
  InstanceOf instance([] { touch_fresh_pages(10); });
  const auto energy = count(instance, request({"power/energy-pkg/"}), pmu.backend()).at("power/energy-pkg/");
  ASSERT_TRUE(energy.value.has_value()) << energy.reason;
  EXPECT_GE(*energy.value, 5) << "half of what the register says";
  EXPECT_LT(*energy.value, 10);
  EXPECT_TRUE(energy.socket_wide);
  EXPECT_EQ(energy.note, "in Joules");
  EXPECT_THAT(pmu.cpus, testing::ElementsAre(0));
}

TEST(PerfBackend, SaysWhatStandsInTheWayAndWhatMendsIt) {
  const auto refusal = [](int error, const std::string& event) {
    MadePmu pmu(4, error);
    InstanceOf instance;
    HardwareSource source(pmu.backend());
    return source.count(instance, Team(1, {}), request({event})).at(event).reason;
  };
  EXPECT_EQ(refusal(EOPNOTSUPP, "cycles"), "cycles: this CPU does not count it");
  EXPECT_THAT(refusal(EACCES, "power/energy-pkg/"),
              testing::AllOf(HasSubstr("power/energy-pkg/, of the whole socket: forbidden, "
                                       "kernel.perf_event_paranoid is 2; mended by: "),
                             testing::EndsWith("sysctl kernel.perf_event_paranoid=0")));
  EXPECT_THAT(refusal(EACCES, "context-switches"),
              HasSubstr("sysctl kernel.perf_event_paranoid=1 (the source os"));
  EXPECT_THAT(refusal(EPERM, "cycles"), HasSubstr("--cap-add PERFMON"));
  EXPECT_THAT(refusal(EINVAL, "cycles"), HasSubstr("the kernel takes no such event (EINVAL)"));

  MadePmu without(4, ENOSYS);
  EXPECT_EQ(without.backend()->obstacle().reason,
            "this kernel is built without perf events (CONFIG_PERF_EVENTS)");
}

}  // namespace
}  // namespace uotbench
