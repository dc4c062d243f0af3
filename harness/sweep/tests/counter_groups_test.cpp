#include "harness/sweep/counting/counter_groups.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "harness/sweep/language/schema.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Groups : public testing::Test {
 protected:
  std::string refusal(const std::string& text) {
    std::ofstream(folder_.path() / "mine.json", std::ios::trunc) << text;
    try {
      read_counter_groups({folder_.path()});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
  /// A group whose parts can be replaced.
  std::string refusal_of(const std::string& counters, const std::string& metrics = "{}",
                         const std::string& unit = "accesses") {
    return refusal(
        R"({"name": "mine", "counters": {"misses": {"unit": "accesses"}, "moved": {"unit": "bytes"}},
      "metrics": )" +
        metrics + R"(, "sources": [{"source": "perf", "events": {"a": {"event": "x", "unit": ")" + unit +
        R"("}, "b": {"event": "y", "unit": "accesses"}}, "counters": )" + counters + "}]}");
  }
  Folder folder_;
};

/// Every group that comes with the program: names defined, units agreeing.
TEST(CounterGroupFiles, AreSound) {
  const CounterGroups groups =
      read_counter_groups({std::filesystem::path(UOTBENCH_SOURCE_DIR) / "configs/counters"});
  std::vector<std::string> names;
  for (const auto& [name, group] : groups) {
    names.push_back(name);
    EXPECT_FALSE(group.about.empty()) << name;
    for (const auto& counter : group.counters) EXPECT_FALSE(counter.about.empty()) << counter.name;
  }
  EXPECT_THAT(names, testing::ElementsAre("blocks", "cache", "energy", "false_sharing", "functions", "gpu",
                                          "heap", "instructions", "messages", "order", "os", "races",
                                          "regions", "sharing", "tlb", "traffic"));
}

/// Every sweep's metrics, too.
TEST(SweepFiles, HaveSoundMetrics) {
  const std::filesystem::path configs = std::filesystem::path(UOTBENCH_SOURCE_DIR) / "configs";
  const CounterGroups groups = read_counter_groups({configs / "counters"});
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(configs)) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().filename();
    const Json list = metrics_from(read_strictly(entry.path()).value("metrics", Json::object()), name);
    EXPECT_NO_THROW(require_metrics(list, groups, name));
    found += list.size();
  }
  EXPECT_GT(found, 0u);
}

TEST_F(Groups, ASourceIsForACpuByVendorFamilyAndModel) {
  GroupSource source;
  EXPECT_TRUE(source.is_for(""));
  source.cpus = {"AuthenticAMD/25"};
  EXPECT_TRUE(source.is_for("AuthenticAMD/25/17"));
  EXPECT_TRUE(source.is_for("AuthenticAMD/25"));
  EXPECT_FALSE(source.is_for("AuthenticAMD/2"));
  EXPECT_FALSE(source.is_for("AuthenticAMD/251"));
  EXPECT_FALSE(source.is_for(""));
}

TEST_F(Groups, ASoundOneIsRead) {
  EXPECT_EQ(refusal_of(R"({"misses": "a + b", "moved": "a * line_bytes"})",
                       R"({"share": {"formula": "moved / misses / line_bytes", "unit": "1"}})"),
            "");
}

TEST_F(Groups, NamesThatAreNotDefinedAreRefusedWithTheNearest) {
  EXPECT_THAT(refusal_of(R"({"misses": "aa + b"})"),
              HasSubstr("mine.json: /sources/0/counters/misses: \"aa + b\" names \"aa\""));
  EXPECT_THAT(refusal_of(R"({"mises": "a"})"),
              HasSubstr("the group counts no \"mises\" (did you mean misses?); it counts misses, moved"));
  EXPECT_THAT(refusal_of(R"({"misses": "a"})", R"({"x": {"formula": "missed / misses", "unit": "1"}})"),
              HasSubstr("/metrics/x: \"missed / misses\" names \"missed\" (did you mean misses?)"));
}

TEST_F(Groups, UnitsThatDoNotAgreeAreRefused) {
  EXPECT_THAT(refusal_of(R"({"moved": "a"})"),
              HasSubstr("/counters/moved: \"a\" comes to accesses; the unit of what it defines is bytes"));
  EXPECT_THAT(refusal_of(R"({"misses": "a + b"})", "{}", "bytes"), HasSubstr("/sources/0/counters/misses"));
  EXPECT_THAT(refusal_of(R"({"misses": "a"})", R"({"x": {"formula": "moved / misses", "unit": "1"}})"),
              HasSubstr("comes to bytes/accesses; the unit of what it defines is 1"));
}

TEST_F(Groups, MetricsMayNameTimeWorkAndAxes) {
  const auto said = [&](const std::string& formula, const std::string& unit) {
    return refusal_of(R"({"misses": "a"})",
                      R"({"x": {"formula": ")" + formula + R"(", "unit": ")" + unit + "\"}}");
  };
  EXPECT_EQ(said("work.exp / time.seconds", "exp/seconds"), "");
  EXPECT_EQ(said("2 * axis.B * axis.2nd * time.iterations / misses", "1/accesses"), "");
  EXPECT_THAT(said("work.exp / time.seconds", "1/seconds"), HasSubstr("comes to exp/seconds"));
  EXPECT_THAT(said("work.bytes_red + work.bytes", "bytes"), HasSubstr("what is added has one unit"));
  EXPECT_THAT(said("work. / misses", "1/accesses"), HasSubstr("names \"work.\""));
  EXPECT_THAT(said("axes.B", "1"), HasSubstr("not defined; there are line_bytes, misses, moved, "));
  // What is counted has none of these.
  EXPECT_THAT(refusal_of(R"({"misses": "a * work.exp"})"), HasSubstr("names \"work.exp\""));
}

TEST_F(Groups, HostileFilesEndInOneLine) {
  for (const std::string& formula :
       {std::string(5000, '('), std::string(900, '-') + "a", std::string("a +"), std::string("a b"),
        std::string("system('x')"), std::string("a") + std::string(2000, '+') + "a"}) {
    const std::string said = refusal_of(R"({"misses": ")" + formula + "\"}");
    EXPECT_THAT(said, HasSubstr("/sources/0/counters/misses")) << formula.substr(0, 20);
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
  EXPECT_THAT(refusal(std::string(100000, '[')), HasSubstr("deep"));
  EXPECT_THAT(refusal("{"), HasSubstr("mine.json"));
  EXPECT_THAT(refusal(R"({"name": "mine"})"), HasSubstr("the key \"counters\" is missing"));
}

TEST_F(Groups, OneNameStandsForOneGroupAndOneUnit) {
  const auto text = [](const std::string& name, const std::string& unit) {
    return R"({"name": ")" + name + R"(", "counters": {"misses": {"unit": ")" + unit +
           R"("}}, "sources": [{"source": "perf", "events": {"a": {"event": "x", "unit": ")" + unit +
           R"("}}, "counters": {"misses": "a"}}]})";
  };
  std::ofstream(folder_.path() / "other.json") << text("mine", "accesses");
  EXPECT_THAT(refusal(text("mine", "accesses")), HasSubstr("the group \"mine\" is in"));
  std::ofstream(folder_.path() / "other.json", std::ios::trunc) << text("other", "bytes");
  EXPECT_THAT(refusal(text("mine", "accesses")),
              HasSubstr("/counters/misses/unit: expected accesses, as in the group mine, got bytes"));
}

TEST_F(Groups, ThatWouldCountNothingOrMisleadAreRefused) {
  const auto group = [](const std::string& name, const std::string& counter, const std::string& alias,
                        const std::string& formula) {
    return fmt::format(
        R"({{"name": "{}", "counters": {{"{}": {{"unit": "1"}}}}, "sources": [{{"source": "perf",
                            "events": {{"{}": {{"event": "x", "unit": "1"}}}}, "counters": {{"{}": "{}"}}}}]}})",
        name, counter, alias, counter, formula);
  };
  EXPECT_EQ(refusal(group("m", "a", "x", "x + 0")), "");
  EXPECT_THAT(refusal(group("m", "a", "x", "5")), HasSubstr("names no event: nothing would be counted"));
  EXPECT_THAT(refusal(group("auto", "a", "x", "x")),
              HasSubstr("/name: expected a name other than auto and none, got \"auto\""));
  EXPECT_THAT(refusal(group("m", "work.flops", "x", "x")),
              AllOf(HasSubstr("/counters: expected a name"), HasSubstr("got \"work.flops\"")));
  for (const std::string taken : {"work.exp", "axis.B", "time.iterations", "fact.rounds", "machine.memory"})
    EXPECT_THAT(refusal(group("m", taken, "x", "x")), HasSubstr(", got \"" + taken));
  EXPECT_THAT(refusal(group("m", "a", "line_bytes", "1")),
              AllOf(HasSubstr("/events: expected a name"), HasSubstr("got \"line_bytes\"")));
  EXPECT_THAT(refusal_of(R"({"misses": "a"})", R"({"misses": {"formula": "misses", "unit": "accesses"}})"),
              HasSubstr("/metrics/misses: a counter of the group mine has this name"));
}

TEST_F(Groups, APipeIsRefusedNotWaitedFor) {
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe.json").c_str(), 0600), 0);
  EXPECT_THROW(read_counter_groups({folder_.path()}), UsageError);
}

TEST_F(Groups, AFolderThatIsNotThereHoldsNone) {
  EXPECT_TRUE(read_counter_groups({folder_.path() / "nowhere"}).empty());
}

}  // namespace
}  // namespace uotbench
