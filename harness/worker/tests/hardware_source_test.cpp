// Whatever the backend: events share passes where there is room, values are per iteration, and what was not
// counted is null with its reason.
#include "harness/worker/counters/hardware_source.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "harness/worker/tests/counting.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Names = std::vector<std::string>;

/// What a backend would do, and what it was asked.
struct Script {
  std::size_t registers = 100;                     ///< what add() has room for,
  std::size_t free_registers = 100;                ///< and what is free in truth: passes with more never run
  std::size_t startable = 100;                     ///< passes with more cannot be started
  std::map<std::string, CountedEvent> gives = {};  ///< what is read; by default 1 for each start
  std::map<std::string, std::string> cannot = {};  ///< what cannot be counted, and why
  std::set<std::string> wide = {};                 ///< needs more registers than there are

  std::vector<Names> passes = {};  ///< events of each pass that was started, in order
  std::vector<int> starts = {};    ///< how often
  bool running = false;            ///< between a start and its stop
  std::vector<int> threads = {};
};

class ScriptedPass : public CountingPass {
 public:
  explicit ScriptedPass(Script& script) : script_(script) {}
  bool add(const std::string& event) override {
    if (script_.cannot.contains(event)) throw Error(script_.cannot.at(event));
    if (events_.size() == script_.registers || script_.wide.contains(event)) return false;
    events_.push_back(event);
    return true;
  }
  void start() override {
    if (events_.size() > script_.startable) throw NotStarted("too many together");
    script_.running = true;
    if (starts_++ > 0) return;
    script_.passes.push_back(events_);
    script_.starts.push_back(0);
  }
  void stop() override {
    script_.running = false;
    ++script_.starts.back();
  }
  CountedEvent read(const std::string& event) override {
    if (events_.size() > script_.free_registers) return {.parts = {{0, 1, 0}}};
    const auto given = script_.gives.find(event);
    return given == script_.gives.end() ? CountedEvent{.parts = {{double(starts_), 1, 1}}} : given->second;
  }

 private:
  Script& script_;
  Names events_;
  int starts_ = 0;
};

class ScriptedBackend : public HardwareBackend {
 public:
  explicit ScriptedBackend(Script& script) : script_(script) {}
  std::string name() const override { return "scripted"; }
  Obstacle obstacle() const override { return {"in the way", "push"}; }
  std::string unknown(const std::string& event) const override { return "no " + event; }
  std::unique_ptr<CountingPass> pass(const std::vector<int>& threads) override {
    script_.threads = threads;
    return std::make_unique<ScriptedPass>(script_);
  }

 private:
  Script& script_;
};

class HardwareSourceTest : public testing::Test {
 protected:
  EventCounts count(const CountRequest& wanted) {
    HardwareSource source(std::make_unique<ScriptedBackend>(script));
    return source.count(instance, team, wanted);
  }
  /// What is made of one event that reads so, after one iteration.
  EventCount count_of(CountedEvent event) {
    script.gives["a"] = std::move(event);
    return count(request({"a"})).at("a");
  }

  Script script;
  InstanceOf instance;
  Team team{1, {}};
};

TEST_F(HardwareSourceTest, IsItsBackendByName) {
  const HardwareSource source(std::make_unique<ScriptedBackend>(script));
  EXPECT_EQ(source.name(), "scripted");
  EXPECT_EQ(source.obstacle().reason, "in the way");
  EXPECT_EQ(source.obstacle().mend, "push");
  EXPECT_EQ(source.unknown("a"), "no a");
  EXPECT_FALSE(source.simulated());
}

TEST_F(HardwareSourceTest, PacksEventsIntoAsFewPassesAsThereIsRoomForInTheOrderAskedFor) {
  script.registers = 2;
  const auto counts = count(request({"e", "d", "e", "c", "b", "a"}));
  EXPECT_THAT(script.passes, ElementsAre(Names{"e", "d"}, Names{"c", "b"}, Names{"a"}));
  EXPECT_EQ(counts.size(), 5u);
  for (const auto& [name, event] : counts) EXPECT_EQ(event.value, 1) << name;
  EXPECT_EQ(instance.iterations, 1 + 3) << "a warm-up, and one for each pass";
}

TEST_F(HardwareSourceTest, StartsAnInstanceAgainBeforeItsLifetimeEndsAndDoesNotCountThat) {
  struct Mortal : InstanceOf {
    void restart() override {
      restarted_while_counted |= counting();
      age = 0;
    }
    void iterate() override {
      InstanceOf::iterate();
      oldest = std::max(oldest, ++age);
    }
    std::optional<std::int64_t> lifetime() const override { return 4; }
    std::function<bool()> counting;
    bool restarted_while_counted = false;
    int age = 0, oldest = 0;
  } mortal;
  mortal.counting = [&] { return script.running; };
  HardwareSource source(std::make_unique<ScriptedBackend>(script));
  source.count(mortal, team, request({"a"}, 0.2));
  EXPECT_EQ(mortal.oldest, 4);
  EXPECT_FALSE(mortal.restarted_while_counted);
  ASSERT_EQ(script.starts.size(), 1u);
  EXPECT_GT(script.starts[0], 1);
  EXPECT_GT(mortal.iterations, 4);
}

TEST_F(HardwareSourceTest, WhatCannotBeCountedSaysWhyAndTheOthersGoOn) {
  script.cannot["b"] = "b is not known\nhere";
  script.wide = {"c"};
  const auto counts = count(request({"a", "b", "c", "d"}));
  EXPECT_THAT(script.passes, ElementsAre(Names{"a", "d"}));
  EXPECT_EQ(counts.at("a").value, 1);
  EXPECT_EQ(counts.at("b").value, std::nullopt);
  EXPECT_EQ(counts.at("b").reason, "b is not known\\nhere");
  EXPECT_EQ(counts.at("c").reason, "needs more registers than there are");
  EXPECT_EQ(counts.at("d").value, 1);
}

TEST_F(HardwareSourceTest, NothingToCountIsNoCount) {
  EXPECT_TRUE(count(request({})).empty());
  script.cannot["a"] = "no";
  EXPECT_EQ(count(request({"a"})).at("a").reason, "no");
  EXPECT_TRUE(script.passes.empty());
}

TEST_F(HardwareSourceTest, DividesByTheIterations) {
  script.gives["a"] = {.parts = {{1e6, 1, 1}}};
  const auto counts = count(request({"a"}, 0.2));
  const int counted = instance.iterations - 1;
  ASSERT_GT(counted, 1);
  EXPECT_DOUBLE_EQ(*counts.at("a").value, 1e6 / counted);
  EXPECT_THAT(script.starts, ElementsAre(1)) << "counting goes on from one iteration to the next";
}

TEST_F(HardwareSourceTest, AStateIsNotDivided) {
  script.gives["a"] = {.parts = {{1e6, 1, 1}}, .per_iteration = false, .note = "so far"};
  const auto counts = count(request({"a"}, 0.2));
  ASSERT_GT(instance.iterations, 2);
  EXPECT_EQ(counts.at("a").value, 1e6);
  EXPECT_EQ(counts.at("a").note, "so far");
}

// Each eviction is followed by one iteration, and only that is counted.
TEST_F(HardwareSourceTest, CountsColdIterationsOneByOne) {
  CountRequest cold = request({"a"}, 0.2);
  cold.cold = true;
  const auto counts = count(cold);
  EXPECT_EQ(counts.at("a").value, 1) << "the script counts starts";
  EXPECT_THAT(script.starts, ElementsAre(instance.iterations - 1));
}

TEST_F(HardwareSourceTest, SumsThreadsAndExtrapolatesWhatWasCountedPartOfTheTime) {
  const EventCount whole = count_of({.parts = {{10, 4, 4}, {5, 2, 2}, {0, 0, 0}}});
  EXPECT_EQ(whole.value, 15);
  EXPECT_EQ(whole.running, 1);
  const EventCount shared = count_of({.parts = {{10, 4, 2}, {5, 4, 1}}, .socket_wide = true});
  EXPECT_DOUBLE_EQ(*shared.value, 10 * 2 + 5 * 4);
  EXPECT_DOUBLE_EQ(shared.running, 3.0 / 8);
  EXPECT_TRUE(shared.socket_wide);
  EXPECT_EQ(count_of({.parts = {{10, 1, 0.99999}}}).running, 1) << "switching it on takes time";
}

TEST_F(HardwareSourceTest, WhatNeverRanIsNullThoughOtherThreadsWereCounted) {
  const EventCount one = count_of({.parts = {{10, 1, 1}, {0, 1, 0}}});
  EXPECT_EQ(one.value, std::nullopt);
  EXPECT_EQ(one.reason, "never ran: other programs hold the registers");
  EXPECT_EQ(count_of({.parts = {{0, 0, 0}}}).reason, "never ran: no thread was counted");
  EXPECT_EQ(count_of({}).reason, "never ran: no thread was counted");
}

TEST_F(HardwareSourceTest, AnEventThatVanishesMidwayIsNull) {
  script.gives["b"] = {.parts = {{7, 1, 1}}, .failed = "the unit was unplugged"};
  const auto counts = count(request({"a", "b"}));
  EXPECT_EQ(counts.at("a").value, 1);
  EXPECT_EQ(counts.at("b").value, std::nullopt);
  EXPECT_EQ(counts.at("b").reason, "the unit was unplugged");
}

// A watchdog holds a register that the backend believes free.
TEST_F(HardwareSourceTest, WhatNeverRanAmongManyIsTriedAmongFewer) {
  script.registers = 4;
  script.free_registers = 1;
  const auto counts = count(request({"a", "b", "c", "d"}));
  EXPECT_THAT(script.passes, ElementsAre(Names{"a", "b", "c", "d"}, Names{"a", "b"}, Names{"a"}, Names{"b"},
                                         Names{"c", "d"}, Names{"c"}, Names{"d"}));
  for (const auto& [name, event] : counts) EXPECT_EQ(event.value, 1) << name;

  script.free_registers = 0;
  script.passes.clear();
  EXPECT_EQ(count(request({"a"})).at("a").reason, "never ran: other programs hold the registers");
  EXPECT_THAT(script.passes, ElementsAre(Names{"a"}));
}

TEST_F(HardwareSourceTest, OneThatNeverRanIsTriedAlone) {
  script.gives["b"] = {.parts = {{0, 1, 0}}};
  EXPECT_EQ(count(request({"a", "b", "c"})).at("b").reason, "never ran: other programs hold the registers");
  EXPECT_THAT(script.passes, ElementsAre(Names{"a", "b", "c"}, Names{"b"}));
}

TEST_F(HardwareSourceTest, WhatCannotBeStartedTogetherIsStartedApart) {
  script.startable = 1;
  const auto counts = count(request({"a", "b"}));
  EXPECT_THAT(script.passes, ElementsAre(Names{"a"}, Names{"b"}));
  EXPECT_EQ(counts.at("b").value, 1);
  script.startable = 0;
  EXPECT_EQ(count(request({"a", "b"})).at("b").reason, "too many together");
}

// A kernel's own threads are there after its first iteration.
TEST_F(HardwareSourceTest, CountsTheThreadsThatAreThereAfterAWarmUp) {
  std::jthread helper;
  std::atomic<int> its_id = 0;
  InstanceOf starts_a_thread([&] {
    if (helper.joinable()) return;
    helper = std::jthread([&](const std::stop_token& stop) {
      its_id = ::gettid();
      while (!stop.stop_requested()) std::this_thread::yield();
    });
    while (its_id == 0) std::this_thread::yield();
  });
  HardwareSource(std::make_unique<ScriptedBackend>(script)).count(starts_a_thread, team, request({"a"}));
  EXPECT_THAT(script.threads, testing::Contains(its_id.load()));
  EXPECT_THAT(script.threads, testing::Contains(::gettid()));
}

TEST_F(HardwareSourceTest, AKernelsErrorIsTheCases) {
  InstanceOf breaks([] { throw Error("it broke"); });
  HardwareSource source(std::make_unique<ScriptedBackend>(script));
  EXPECT_EQ(error_of([&] { source.count(breaks, team, request({"a"})); }), "it broke");
}

}  // namespace
}  // namespace uotbench
