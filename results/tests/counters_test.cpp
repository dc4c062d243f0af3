// What a record holds of counters is read as it is, whoever wrote it: a value has a source, an absent one a
// reason, and rates are told within one source alone.
#include "results/record/counters.hpp"

#include <gmock/gmock.h>

#include "results/base/json.hpp"
#include "results/record/counter.hpp"
#include "results/view/metrics.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Json counter(const Json& value, const std::string& source = "papi", const std::string& kind = "measured") {
  return {{"value", value}, {"source", source}, {"kind", kind}, {"per", "iteration"}, {"unit", "accesses"}};
}

Record record_with(const Json& counters) {
  Record record;
  record.id = "uot/x/M:1/N:1@w";
  record.counters = counters_from(counters);
  return record;
}

TEST(Counter, IsWrittenAndReadBack) {
  const Counter whole{.value = 12.,
                      .origin = {.source = "papi",
                                 .kind = "scaled",
                                 .worker = "native-trace",
                                 .running = 0.43,
                                 .socket_wide = true},
                      .unit = "accesses",
                      .from = "a + b",
                      .note = "64 sets",
                      .lines = {{"a.cpp:12", 8}, {"b.cpp:1", 4}}};
  const Record record = record_with({{"x", to_json(whole)}});
  EXPECT_EQ(to_json(*counter_of(record, "x")), to_json(whole));
  EXPECT_EQ(counted(record, "x"), 12);
  EXPECT_EQ(text_of(whole.origin), "papi, scaled 43%, socket-wide, by native-trace");
  EXPECT_EQ(text_of({.source = "callgrind", .kind = "simulated"}), "callgrind, simulated");
  EXPECT_EQ(text_of({.source = "callgrind", .kind = "simulated", .worker = "callgrind"}),
            "callgrind, simulated");
}

TEST(Counter, AbsentIsAbsentAndSaysWhy) {
  const Record record = record_with({{"none", {{"value", nullptr}, {"reason", "no such event"}}},
                                     {"silent", {{"value", nullptr}}},
                                     {"zero", counter(0)}});
  EXPECT_EQ(counter_or_why(record, "none").reason, "no such event");
  EXPECT_EQ(counter_or_why(record, "silent").reason, "no reason given");
  EXPECT_EQ(counter_or_why(record, "other").reason, "not counted");
  EXPECT_EQ(counted(record, "zero"), 0) << "a zero that was counted is one";
  EXPECT_FALSE(counter_of(record, "other"));
}

// Others write run files, too.
TEST(Counter, OfAHostileRecordIsNoNumberThatLies) {
  Json lines = counter(3);
  lines["lines"] = "a.cpp:1";
  Json mixed = counter(3);
  mixed["lines"] = {
      1, nullptr, {{"at", 5}, {"value", 1}}, {{"at", "a.cpp:1"}}, {{"at", "b.cpp:2"}, {"value", 2}}};
  Json odd = counter(3, "");
  odd["kind"] = 5, odd["running"] = "half", odd["socket_wide"] = 1, odd["note"] = Json::array();
  const Record record = record_with({{"number", 5},
                                     {"text", counter("many")},
                                     {"huge", counter(1e300)},
                                     {"negative", counter(-5)},
                                     {"lines", lines},
                                     {"mixed", mixed},
                                     {"odd", odd}});
  EXPECT_FALSE(counter_of(record, "number"));
  EXPECT_EQ(counter_or_why(record, "number").reason, "what the record has under this name is no counter");
  EXPECT_FALSE(counted(record, "text"));
  EXPECT_EQ(counted(record, "huge"), 1e300);
  EXPECT_EQ(counter_or_why(record, "negative").reason, "the record has -5, which is no count");
  EXPECT_FALSE(counted(record, "negative"));
  EXPECT_EQ(counted(record, "lines"), 3) << "the value is sound";
  EXPECT_EQ(counter_of(record, "mixed")->lines.size(), 1u);
  EXPECT_EQ(text_of(counter_of(record, "odd")->origin), "unknown source");
  for (const Json& counters : {Json(), Json(5), Json::array({1}), Json("x")}) {
    EXPECT_FALSE(counter_of(record_with(counters), "x"));
    EXPECT_THAT(counter_names_in({record_with(counters)}), ElementsAre());
  }
}

// A run is read and written again where it becomes a baseline: nothing that it holds is lost on the way.
TEST(Counters, AreWrittenAsTheyWereRead) {
  Json newer = counter(3);
  newer["mood"] = "good";
  const Json json{{"z", counter(4.5)},
                  {"a", to_json(Counter{.value = 1, .origin = {.source = "os"}})},
                  {"whole", counter(5)},
                  {"newer", newer},
                  {"none", {{"reason", "no such event"}}},
                  {"negative", counter(-5)},
                  {"number", 5},
                  {"null", nullptr}};
  Counters counters = counters_from(json);
  EXPECT_EQ(to_line(to_json(counters)), to_line(json));
  EXPECT_EQ(counters.size(), 8u);
  EXPECT_TRUE(counters.find("a")->as_read.is_null()) << "it is held once";
  counters["newer"].value = 6;
  const Json changed = to_json(counters)["newer"];
  EXPECT_EQ(changed["value"], 6);
  EXPECT_EQ(changed["source"], "papi");
  EXPECT_FALSE(changed.contains("mood")) << "who knows what it was about";
  counters["fresh"].value = 7;
  EXPECT_EQ(to_json(counters).back()["value"], 7);
}

TEST(Counter, NamesThatAllSourcesUseComeFirst) {
  const std::vector<Record> records{record_with({{"cycles", counter(1)}, {"L2.misses", counter(1)}}),
                                    record_with({{"L1D.misses", counter(1)}, {"cycles", counter(1)}})};
  EXPECT_THAT(counter_names_in(records), ElementsAre("L1D.misses", "L2.misses", "cycles"));
}

TEST(MissRate, IsPerAccessOfL1D) {
  const Record record = record_with({{"L1D.accesses", counter(1000)},
                                     {"L1D.misses", counter(64, "papi", "scaled")},
                                     {"L2.misses", counter(46)},
                                     {"TLB.accesses", counter(10)},
                                     {"TLB.misses", counter(1)}});
  EXPECT_EQ(miss_rate(record, "L1D").value, 0.064);
  EXPECT_EQ(miss_rate(record, "L1D").origin.kind, "scaled") << "as good as its worse part";
  EXPECT_EQ(miss_rate(record, "L2").value, 0.046);
  EXPECT_EQ(miss_rate(record, "L2").from, "L2.misses / L1D.accesses");
  EXPECT_EQ(miss_rate(record, "TLB").value, 0.1);
}

TEST(MissRate, IsNoneWhereItWouldMeanNothing) {
  const auto reason = [](const Json& misses, const Json& accesses) {
    return miss_rate(record_with({{"L1D.misses", misses}, {"L1D.accesses", accesses}}), "L1D").reason;
  };
  EXPECT_EQ(reason(counter(1), counter(4, "callgrind", "simulated")),
            "no rate across sources: L1D.misses is from papi, L1D.accesses from callgrind, simulated");
  EXPECT_EQ(reason(counter(1), counter(0)), "L1D.accesses is 0");
  EXPECT_EQ(reason(counter(1), {{"value", nullptr}, {"reason", "denied"}}), "L1D.accesses: denied");
  EXPECT_EQ(reason({{"value", nullptr}, {"reason", "denied"}}, counter(4)), "denied");
  Json solve = counter(4);
  solve["per"] = "solve";
  EXPECT_EQ(reason(counter(1), solve), "L1D.misses is per iteration, L1D.accesses per solve");
  Json decade = counter(4);
  decade["per"] = "decade";
  EXPECT_EQ(reason(decade, counter(4)), "it is per decade, which is no unit");
  EXPECT_EQ(reason(counter(1e300), counter(1e-300)), "the counts are no numbers that can be divided");
}

RunHeader header_of(const Json& metrics) { return {.metrics = metrics}; }

Json metric(const std::string& name, const std::string& formula, const std::string& unit = "1") {
  return {{"name", name}, {"formula", formula}, {"unit", unit}, {"about", "what it is"}};
}

TEST(Metrics, AreComputedFromCountersWorkAndTime) {
  Record record = record_with({{"L2.misses", counter(100)}, {"cycles", counter(50, "perf", "scaled")}});
  record.counters["cycles"].origin.running = 0.4;
  record.work = Work{.flops = 640, .bytes_read = 2000, .bytes_written = 1000, .write_allocate = 200};
  record.time = Timing{};
  record.time->processes.resize(3);
  for (int i = 0; i < 3; ++i) record.time->processes[i].samples = {0.5 * i + 1};
  const Metrics metrics(
      header_of({metric("bandwidth", "L2.misses * line_bytes / time.seconds", "bytes/seconds"),
                 metric("density", "work.flops / L2.misses"), metric("share", "L2.misses * 64 / work.bytes"),
                 metric("both", "L2.misses / cycles"), metric("line", "line_bytes"),
                 metric("model", "work.flops / work.bytes")}));
  ASSERT_EQ(metrics.all().size(), 6u);
  EXPECT_THAT(metrics.warnings(), ElementsAre());
  const auto value = [&](int i) { return value_of(metrics.all()[i], record); };
  EXPECT_EQ(value(0).value, 100 * 64 / 1.5);
  EXPECT_EQ(value(0).unit, "bytes/seconds");
  EXPECT_EQ(text_of(value(0).origin), "papi and the clock");
  EXPECT_EQ(value(1).value, 6.4);
  EXPECT_EQ(value(2).value, 2) << "bytes read, written and fetched to be overwritten";
  EXPECT_EQ(text_of(value(3).origin), "papi and perf, scaled 40%") << "as good as its worst part";
  EXPECT_EQ(value(4).value, 64);
  EXPECT_EQ(text_of(value(5).origin), "the work model, modelled");
  record.counters["L2.misses"].origin.kind = "simulated";
  EXPECT_EQ(value(3).origin.kind, "simulated");
}

// What a second of a variant gives, whatever its family computes.
TEST(Metrics, KnowOperationsAxesAndIterations) {
  Record record = record_with(Json());
  record.point = {{"B", 4}, {"reg", 0.5}, {"cost", "points"}};
  record.work =
      Work{.flops = 7, .bytes_read = 5, .bytes_written = 3, .write_allocate = 2, .bytes_nontemporal = 1};
  record.work->operations = {{.name = "exp", .count = 600}, {.name = "messages", .count = 9}};
  record.time = Timing{};
  record.time->processes.resize(1);
  record.time->processes[0].samples = {2};
  const auto told = [&](const std::string& formula) {
    return value_of(Metrics(header_of(Json::array({metric("m", formula)}))).all().at(0), record);
  };
  EXPECT_EQ(told("work.exp / time.seconds").value, 300);
  EXPECT_EQ(text_of(told("work.exp / time.seconds").origin), "the work model and the clock, modelled");
  EXPECT_EQ(told("work.messages - work.bytes_read - work.bytes_written - work.write_allocate").value, -1);
  EXPECT_EQ(told("work.bytes_nontemporal / work.bytes_written").value, 1. / 3);
  EXPECT_EQ(told("2 * axis.B * axis.reg * time.iterations / time.seconds").value, 2);
  record.work->counted = true;
  EXPECT_EQ(text_of(told("work.exp").origin), "the run");
  record.time->per = Unit::solve;
  EXPECT_EQ(told("axis.B * time.iterations").reason,
            "time.iterations: the number of iterations of a solve is not reported");
  record.time->iterations = 50;
  EXPECT_EQ(told("axis.B * time.iterations / time.seconds").value, 100);
  EXPECT_EQ(told("work.division").reason,
            "work.division: the variant's work has no operations of this kind; it has exp, messages");
  EXPECT_EQ(told("axis.M").reason, "axis.M: the case has no such axis");
  EXPECT_EQ(told("axis.cost").reason, "axis.cost: it is \"points\", and no number");
  record.work->operations.clear();
  EXPECT_EQ(told("work.exp").reason, "work.exp: the variant's work has no operations other than flops");
}

TEST(Metrics, KnowTheUnitsOfWhatOnlyARunKnows) {
  using metric_names::unit_of;
  EXPECT_EQ(unit_of("phase.price.seconds"), "seconds");
  EXPECT_EQ(unit_of("phase.price.share"), "1");
  EXPECT_EQ(unit_of("phase.price.second"), std::nullopt);
  EXPECT_EQ(unit_of("fact.solver_bytes"), "bytes");
  EXPECT_EQ(unit_of("fact.rounds"), "1");
  EXPECT_EQ(unit_of("machine.memory"), "bytes");
  EXPECT_EQ(unit_of("reach.gap.0.0001.seconds"), "seconds");
  EXPECT_EQ(unit_of("reach.gap.0.0001.iterations"), "1");
  EXPECT_EQ(unit_of("reach.gap.0.0001"), std::nullopt);
  EXPECT_EQ(unit_of("work.exp"), "exp");
  EXPECT_EQ(unit_of("fact."), std::nullopt);
  EXPECT_EQ(unit_of("facts.rounds"), std::nullopt);
}

TEST(Metrics, SayWhyThereIsNone) {
  const auto reason = [](const Record& record, const std::string& formula) {
    return value_of(Metrics(header_of(Json::array({metric("m", formula)}))).all().at(0), record).reason;
  };
  Record record = record_with({{"a", counter(1)}, {"zero", counter(0)}, {"none", {{"reason", "denied"}}}});
  EXPECT_EQ(reason(record, "a / none"), "none: denied");
  EXPECT_EQ(reason(record, "a / b"), "b: not counted");
  EXPECT_EQ(reason(record, "a / zero"), "a (1) / zero (0) divides by 0");
  EXPECT_EQ(reason(record, "a / time.seconds"), "time.seconds: not timed");
  EXPECT_EQ(reason(record, "a / work.flops"), "work.flops: the variant declares no work model");
  record.time = Timing{};
  record.time->per = Unit::solve;
  record.time->processes.resize(1);
  record.time->processes[0].samples = {1};
  EXPECT_EQ(reason(record, "a / time.seconds"), "time.seconds is per solve, other parts of it per iteration");
}

TEST(Metrics, OfAHostileFirstLineAreLeftOutWithAWord) {
  const auto warnings = [](const Json& metrics) { return Metrics(header_of(metrics)).warnings(); };
  EXPECT_THAT(warnings(5), ElementsAre("metrics of the first line: no list; none are shown"));
  EXPECT_THAT(warnings({5, {{"formula", "a"}}, {{"name", "x"}}, metric("x", "a +"), metric("y", "a")}),
              ElementsAre("metrics of the first line: /0: no name; left out",
                          "metrics of the first line: /1: no name; left out",
                          "metrics of the first line: /2: no formula; left out",
                          HasSubstr("metric x: \"a +\": at its end")));
  EXPECT_THAT(warnings(nullptr), ElementsAre());
  EXPECT_THAT(Metrics(RunHeader()).all(), testing::IsEmpty());
}

// The order of basic blocks is the same after it was written and read; what is no such text is refused.

using Blocks = std::vector<std::size_t>;

constexpr std::size_t most_blocks = 1000;

TEST(BlockSequence, WritesRepetitionsOnce) {
  EXPECT_EQ(block_sequence_text({}), "");
  EXPECT_EQ(block_sequence_text({7}), "7");
  EXPECT_EQ(block_sequence_text({4, 0, 0, 0, 2}), "4 0*3 2");
  EXPECT_EQ(block_sequence_text({5, 6, 5, 6, 5, 6, 1}), "(5 6)*3 1");
  // Two rows: what is before the loop, its passes, what is after it.
  EXPECT_EQ(block_sequence_text({1, 0, 0, 0, 2, 1, 0, 0, 0, 2}), "(1 0*3 2)*2");
  EXPECT_EQ(block_sequence_text({1, 0, 0, 0, 2, 1, 0, 0, 2}), "1 0*3 2 1 0*2 2") << "of other lengths";
}

TEST(BlockSequence, ComesBackAsItWas) {
  Blocks rows;
  for (std::size_t row = 0; row < 20; ++row) {
    rows.push_back(3);
    rows.insert(rows.end(), 1 + row % 3, 0);
    for (std::size_t pass = 0; pass < row % 4; ++pass) rows.insert(rows.end(), {12, 5});
  }
  for (const Blocks& blocks : {Blocks{}, Blocks{0}, Blocks{1, 1, 1}, Blocks{1, 2, 1, 2, 1}, rows})
    EXPECT_EQ(block_sequence_from(block_sequence_text(blocks), most_blocks), blocks);
}

TEST(BlockSequence, ThatIsNoneIsAbsent) {
  for (const char* text : {"x", "1  2", " 1", "1 ", "1*", "1*0", "-1", "(1 2", "()", "(1)*0", "1,2",
                           "((1 2)*2 3)*2", "99999999999999999999999"})
    EXPECT_FALSE(block_sequence_from(text, most_blocks)) << text;
}

// A file may say more than there is memory for.
TEST(BlockSequence, IsNoLongerThanAllowed) {
  const auto three = block_sequence_from("1*3", 3);
  ASSERT_TRUE(three);
  EXPECT_THAT(*three, ElementsAre(1, 1, 1));
  EXPECT_FALSE(block_sequence_from("1*4", 3));
  EXPECT_TRUE(block_sequence_from("(1 2)*2", 4));
  EXPECT_FALSE(block_sequence_from("(1 2)*3", 5));
  EXPECT_FALSE(block_sequence_from("(1 2)*18446744073709551615", most_blocks));
}

}  // namespace
}  // namespace uotbench
