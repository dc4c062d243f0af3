// What was counted is shown with its source, once everywhere the same; what is absent with its reason; what
// cannot be compared is not.
#include <gmock/gmock.h>

#include "results/base/error.hpp"
#include "results/tests/made_record.hpp"
#include "results/tests/table_texts.hpp"
#include "roofline/report/report.hpp"
#include "roofline/tables/tables.hpp"
#include "roofline/tests/made_rounds.hpp"

namespace uotbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Json counter(const Json& value, const std::string& source = "callgrind",
             const std::string& kind = "simulated") {
  return {{"value", value}, {"source", source}, {"kind", kind}, {"unit", "accesses"}};
}

Json caches(double accesses, double l1, double l2, const std::string& source = "callgrind") {
  return {{"L1D.accesses", counter(accesses, source)},
          {"L1D.misses", counter(l1, source)},
          {"L2.misses", counter(l2, source)}};
}

Rounds made(const std::string& variant, const Json& counters, int threads = 1) {
  return {.variant = variant,
          .point = {{"M", 8}, {"N", 8}, {"threads", threads}},
          .seconds = {1e-3},
          .counters = counters};
}

std::vector<Table> tables(const Run& run, const Json& over = {}) {
  return counters_tables(view_of(run), over);
}

TEST(CountersTable, ShowsMissesAndRatesWithTheirSource) {
  const auto run = run_of_rounds({made("uot/a", caches(20000, 500, 20)), made("uot/b", caches(20000, 0, 0))});
  const auto all = tables(run);
  EXPECT_THAT(titles_of(all[0]), ElementsAre("case", "L1D accesses", "L1D misses", "L1D rate", "L2 misses",
                                             "L2 rate", "source"));
  EXPECT_THAT(
      texts_of(all[0]),
      ElementsAre(ElementsAre("uot  M:8 N:8  @native-v4"),
                  ElementsAre("a threads:1", "20.00k", "500", "2.50%", "20", "0.10%", "callgrind, simulated"),
                  ElementsAre("b threads:1", "20.00k", "0", "0.00%", "0", "0.00%", "callgrind, simulated")));
  EXPECT_THAT(all[0].about, HasSubstr("Source: callgrind, simulated. Simulated caches start empty"));
  EXPECT_THAT(all[0].notes, ElementsAre());
}

TEST(CountersTable, HasBaseUnitsAndSourcesBehindItsTexts) {
  const auto all = tables(run_of_rounds({made("uot/a", caches(20000, 500, 20)), made("uot/b", {})}));
  const auto& rate = all[0].rows[1][3];
  EXPECT_EQ(rate.value, 0.025);
  EXPECT_EQ(rate.source, "callgrind, simulated");
  const auto& absent = all[0].rows[2][3];
  EXPECT_EQ(absent.value, std::nullopt);
  EXPECT_EQ(absent.source, "");
}

TEST(CountersTable, TellsEachReasonOnceAndWhoCounted) {
  Json a = caches(1000, 5, 1), b = a;
  for (Json* counters : {&a, &b})
    (*counters)["L2.misses"] = {{"reason", "no such\nevent"}, {"source", "papi"}};
  b["L1D.misses"]["worker"] = "native-trace";
  b["L1D.accesses"] = counter(1000, "papi", "scaled");
  b["L1D.accesses"]["running"] = 0.43;
  const auto table = tables(run_of_rounds({made("uot/a", a), made("uot/b", b)}))[0];
  EXPECT_EQ(table.rows[2].back().text, "L1D papi, scaled 43%; L1D callgrind, simulated, by native-trace");
  EXPECT_THAT(
      table.notes,
      ElementsAre("no value of L2.misses: no such\\nevent",
                  HasSubstr("no value of L1D rate: no rate across sources: L1D.misses is from callgrind")));
}

// What papi said of every variant is told once, a list is cut, and a command helps.
TEST(CountersTable, TellsReasonsOnceASource) {
  std::string variants;
  for (int i = 0; i < 40; ++i) variants += fmt::format("{}uot/number_{}", i ? ", " : "", i);
  const auto reason = [&](const char* variant) {
    return Json{{"reason", fmt::format("papi: not permitted; callgrind: no variant {} here; there are: {}",
                                       variant, variants)},
                {"source", "auto"}};
  };
  const auto table =
      tables(run_of_rounds({made("uot/a", {{"L1D.misses", reason("uot/a")}}),
                            made("uot/b", {{"L1D.misses", reason("uot/b")}, {"L2.misses", reason("uot/b")}}),
                            made("uot/c", caches(1000, 5, 1))}))[0];
  ASSERT_EQ(table.notes.size(), 4u);
  EXPECT_THAT(table.notes[0], testing::StartsWith("no value of "));
  EXPECT_THAT(table.notes, Contains("no value of L1D.misses, L2.misses: papi: not permitted"));
  const auto listed = std::ranges::find_if(
      table.notes, [](const std::string& note) { return note.find("callgrind: no variant") != note.npos; });
  ASSERT_NE(listed, table.notes.end());
  EXPECT_LT(listed->size(), 300u);
  EXPECT_THAT(*listed, testing::EndsWith(" (the first of 2 reasons; --json has all)"));
  EXPECT_THAT(table.notes, Contains("uotbench doctor says what papi and perf can count here"));
}

TEST(CountersTable, SaysThatRatesOfTracesStandAlone) {
  const auto note = HasSubstr("element by element, before the code is vectorised");
  EXPECT_THAT(tables(run_of_rounds({made("uot/a", caches(1000, 5, 1, "trace"))}))[0].notes, Contains(note));
  EXPECT_THAT(tables(run_of_rounds({made("uot/a", caches(1000, 5, 1))}))[0].notes, Not(Contains(note)));
  EXPECT_THAT(tables(run_of_rounds({made("uot/a", {{"L1D.misses", counter(4, "trace")}})}))[0].notes,
              Not(Contains(note)))
      << "no rate is shown";
}

// 2.5% of a kernel of plain loops and 38% of one that is written with vectors look like a comparison.
TEST(CountersTable, ShowsNoRatesOfElementsBesideThoseOfOtherVariants) {
  const auto all = tables(run_of_rounds({made("uot/plain", caches(42010, 1050, 20, "trace")),
                                         made("uot/vectors", caches(3629, 1387, 10, "trace"))}));
  EXPECT_THAT(titles_of(all[0]), ElementsAre("case", "L1D accesses", "L1D misses", "L2 misses", "source"));
  EXPECT_THAT(all[0].notes, Contains(HasSubstr("no value of L1D rate, L2 rate: trace counts accesses element "
                                               "by element")));
  EXPECT_THAT(all[0].about, Not(HasSubstr("Rates")));
  EXPECT_THAT(titles_of(all[1]), ElementsAre("case", "L1D misses", "L2 misses"));
  const auto mixed = tables(run_of_rounds(
      {made("uot/plain", caches(20000, 500, 20)), made("uot/vectors", caches(3629, 1387, 10, "trace"))}));
  EXPECT_THAT(column_of(mixed[0], "L1D rate"), ElementsAre("2.50%", "-"));
  const auto threads = tables(run_of_rounds(
      {made("uot/a", caches(1000, 100, 1, "trace")), made("uot/a", caches(1000, 50, 1, "trace"), 2)}));
  EXPECT_THAT(column_of(threads[0], "L1D rate"), ElementsAre("10.00%", "5.00%")) << "of one variant they do";
}

TEST(CountersTable, SaysItOfMetricsToo) {
  auto run = run_of_rounds({made("uot/a", caches(1000, 5, 1, "trace"))});
  edited(run.header)["metrics"] = {{{"name", "L2.share"}, {"formula", "L2.misses / L1D.misses"}},
                                   {{"name", "L1D.share"}, {"formula", "L1D.misses / L1D.accesses"}}};
  const auto note = HasSubstr("element by element");
  EXPECT_THAT(tables(run).back().notes, Contains(note));
  EXPECT_THAT(tables(run).back().about, HasSubstr("Source: trace, simulated."));
  edited(run.header)["metrics"].erase(1);
  EXPECT_THAT(tables(run).back().notes, Not(Contains(note))) << "misses over misses compare";
}

// A virtual machine reports its host's last cache.
TEST(CountersTable, SaysWhichSimulatedSizeIsDoubtful) {
  auto run = run_of_rounds({made("uot/a", caches(1000, 5, 1))});
  const double mib = 1024. * 1024;
  const Json cache{{"level", 3}, {"bytes", 480 * mib}, {"shared_by", 2}};
  const Json doubt{{"level", 3}, {"bytes", 480 * mib}, {"why", "240.0 MiB for each of 2 cores"}};
  edited(run.header)["machine"] = {
      {"hashed", {{"logical_cpus", 2}, {"physical_cores", 2}, {"caches", Json::array({cache})}}},
      {"doubtful_caches", Json::array({doubt})}};
  edited(run.header)["caches"] = {{"L3", {{"bytes", 480 * mib}, {"ways", 16}, {"line", 64}}}};
  const auto note = HasSubstr(
      "simulated L3 480.0 MiB: the size that the system reports, which is doubtful; uotbench machine "
      "measures "
      "it");
  EXPECT_THAT(tables(run)[0].notes, Contains(note));
  edited(run.header)["caches"]["L3"]["bytes"] = 10 * mib;
  EXPECT_THAT(tables(run)[0].notes, Not(Contains(note))) << "another size was asked for";
  edited(run.header)["caches"]["L3"]["bytes"] = 480 * mib;
  const Json probed{{"level", 3}, {"told", 480 * mib}, {"bytes", 480 * mib}, {"doubt", "240"}};
  edited(run.header)["machine"]["probed_caches"] = Json::array({probed});
  EXPECT_THAT(tables(run)[0].notes, Not(Contains(note))) << "it was measured";
}

TEST(CountersTable, FlagsTrafficThatIsNotTheModels) {
  Json counters{{"DRAM.read_bytes", counter(8e6, "perf", "measured")},
                {"DRAM.write_bytes", counter(8e6, "perf", "measured")}};
  Rounds made_case = made("uot/a", counters);
  made_case.work.working_set = 1e9;
  const auto table = tables(run_of_rounds({made_case}))[0];
  EXPECT_THAT(texts_of(table.rows[1]), ElementsAre("a threads:1", "7.6 MiB", "7.6 MiB", "2.00 !", "perf"));
  EXPECT_EQ(table.rows[1][3].style, Style::warning);
  EXPECT_THAT(table.notes, ElementsAre(HasSubstr("! uot/a/M:8/N:8/threads:1@native-v4: moves 2x the bytes")));
  made_case.work.working_set = 1e6;
  const auto inside = tables(run_of_rounds({made_case}))[0];
  EXPECT_EQ(inside.rows[1][3].text, "-");
  EXPECT_THAT(inside.notes,
              ElementsAre(HasSubstr("no value of counted/ modelled: the working set is below 4x")));
}

TEST(CountersTable, TellsFewerMissesAndLowerRatesApart) {
  const auto run =
      run_of_rounds({made("uot/base", caches(1000, 100, 40)), made("uot/ours", caches(500, 40, 60)),
                     made("uot/same", caches(1000, 100, 40))});
  const auto table = tables(run)[1];
  EXPECT_EQ(table.title, "Misses against uot/base");
  EXPECT_THAT(titles_of(table), ElementsAre("case", "L1D misses", "L1D rate", "L2 misses", "L2 rate"));
  EXPECT_THAT(
      texts_of(table),
      ElementsAre(testing::_,
                  ElementsAre("ours threads:1", "60.0% fewer", "20.0% lower", "50.0% more", "200.0% higher"),
                  ElementsAre("same threads:1", "equal", "equal", "equal", "equal")));
  EXPECT_EQ(tables(run, {{"variant", "uot/ours"}})[1].title, "Misses against uot/ours");
  EXPECT_EQ(tables(run_of_rounds({made("uot/a", caches(1, 1, 1)), made("uot/b", caches(1, 1, 1))},
                                 {{"variant", "uot/b"}}))[1]
                .title,
            "Misses against uot/b")
      << "what the sweep's speedups are over";
}

TEST(CountersTable, ComparesNoCountsOfDifferentSources) {
  const auto table = tables(
      run_of_rounds({made("uot/base", caches(1000, 100, 40)), made("uot/ours", caches(4000, 40, 10, "trace")),
                     made("uot/alone", caches(1000, 40, 10), 2)}))[1];
  EXPECT_THAT(texts_of(table.rows[1]), ElementsAre("ours threads:1", "-", "-", "-", "-"));
  EXPECT_THAT(table.notes,
              Contains(HasSubstr("L1D misses, L1D rate, L2 misses, L2 rate: counted by trace, its "
                                 "baseline by callgrind")));
  EXPECT_THAT(table.notes, Contains(HasSubstr("no baseline of its problem, worker, threads")));
}

TEST(CountersTable, OtherCountersAndMetricsHaveUnits) {
  Json counters{{"instructions", counter(63.7e6, "perf", "measured")},
                {"energy", counter(0.25, "perf", "measured")},
                {"false_sharing", counter(4096, "trace")}};
  counters["instructions"]["unit"] = "instructions";
  counters["energy"]["unit"] = "joules";
  counters["false_sharing"]["lines"] = {{{"at", "a.cpp:12"}, {"value", 4000}},
                                        {{"at", "b.cpp:1"}, {"value", 96}}};
  auto run = run_of_rounds({made("uot/a", counters), made("uot/b", {{"cycles", counter(nullptr)}})});
  edited(run.header)["metrics"] = {
      {{"name", "rate"}, {"formula", "instructions / time.seconds"}, {"unit", "1/seconds"}},
      {{"name", "bad"}, {"formula", "("}}};
  const auto table = tables(run).back();
  EXPECT_EQ(table.title, "Other counters and metrics");
  EXPECT_THAT(titles_of(table),
              ElementsAre("case", "instructions", "energy (joules)", "false_sharing (accesses)",
                          "rate (1/seconds)", "source"));  // nobody has cycles
  EXPECT_THAT(texts_of(table.rows[1]),
              ElementsAre("a threads:1", "63.70M", "0.25", "4096", "63.70G",
                          "instructions, energy perf; false_sharing trace, simulated"));
  EXPECT_THAT(table.notes,
              ElementsAre("no value of cycles, instructions, energy, false_sharing, rate: not counted",
                          "no value of cycles: no reason given",
                          "false_sharing of uot/a/M:8/N:8/threads:1@native-v4: a.cpp:12 (4000), b.cpp:1 (96)",
                          HasSubstr("metric bad: \"(\": at its end")));
}

TEST(CountersTable, LeavesOutWhatFailedAndSaysHowToCount) {
  auto run = run_of_rounds({made("uot/a", caches(1000, 5, 1)), made("uot/b", Json::object())});
  run.records[1].status = Status::failed;
  EXPECT_EQ(tables(run)[0].rows.size(), 2u);
  EXPECT_THAT(tables(run)[0].notes, Contains("left out: 1 case without counters; uotbench show prints why"));
  run.records[0].counters = {};
  EXPECT_FALSE(has_counters(view_of(run)));
  try {
    tables(run);
    ADD_FAILURE() << "nothing was counted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "folder/made.jsonl: no counters: it was run without; uotbench run with --counters auto counts what "
        "can be counted here");
  }
}

TEST(CountersTable, OfAHostileRunIsATable) {
  Json lines = counter(3, "");
  lines["lines"] = 5;
  const auto run = run_of_rounds({made("uot/a", {{"L1D.accesses", 5},
                                                 {"L1D.misses", counter(1e300)},
                                                 {"L2.misses", counter(-1)},
                                                 {"x\n\033[31m", lines},
                                                 {"DRAM.read_bytes", counter(1e300)},
                                                 {"DRAM.write_bytes", counter("x")}}),
                                  made("uot/b", Json::array({1, 2})), made("uot/c", 5)});
  for (const auto& table : tables(run))
    for (const auto& row : table.rows)
      for (const auto& cell : row)
        EXPECT_EQ((cell.text + cell.source).find_first_of("\n\033"), std::string::npos);
  EXPECT_THAT(texts_of(tables(run)[0].rows[1]),
              ElementsAre("a threads:1", "-", "1.000e+300", "-", "-", "-", testing::_, "-", "-", testing::_));
  EXPECT_NO_THROW(counters_json(view_of(run)).dump());
}

TEST(CountersJson, HasBaseUnitsSourcesAndReasons) {
  auto run = run_of_rounds({made("uot/base", caches(1000, 100, 40)), made("uot/ours", caches(500, 25, 60))});
  edited(run.header)["metrics"] = {{{"name", "m"}, {"formula", "L1D.misses * line_bytes"}, {"unit", "bytes"}},
                                   {{"name", "n"}, {"formula", "cycles"}}};
  const Json json = counters_json(view_of(run));
  const Json& ours = json["cases"][1];
  EXPECT_EQ(json["baseline"], "uot/base");
  EXPECT_EQ(ours["counters"]["L1D.misses"]["value"], 25);
  EXPECT_EQ(ours["counters"]["L1D.misses"]["source"], "callgrind");
  EXPECT_EQ(ours["rates"]["L1D"]["value"], 0.05);
  EXPECT_EQ(ours["fewer"]["than"], "uot/base/M:8/N:8/threads:1@native-v4");
  EXPECT_EQ(ours["fewer"]["L1D.misses"]["value"], 0.75);
  EXPECT_EQ(ours["fewer"]["L1D.rate"]["value"], 0.5);
  EXPECT_EQ(ours["metrics"]["m"]["value"], 1600);
  EXPECT_EQ(ours["metrics"]["m"]["kind"], "simulated");
  EXPECT_EQ(ours["metrics"]["n"]["value"], nullptr);
  EXPECT_EQ(ours["metrics"]["n"]["reason"], "cycles: not counted");
  EXPECT_EQ(ours["traffic"]["ratio"], nullptr);
  EXPECT_EQ(ours["traffic"]["reason"], "DRAM.read_bytes: not counted");
  EXPECT_EQ(json["cases"][0]["fewer"], nullptr);
}

TEST(CounterTables, StandInPageAndSummaryWithTheirNotes) {
  const auto run = run_of_rounds({made("uot/a", caches(1000, 5, 1, "trace"))});
  const RunView view = view_of(run);
  const Report report{.runs = {&view}, .tables = counters_tables(view)};
  const std::string page = html_of(report), summary = markdown_of(report);
  EXPECT_THAT(page, HasSubstr("<tr class=\"group\"><th colspan=\"7\" scope=\"colgroup\">uot  M:8 N:8"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number\" title=\"trace, simulated\">0.50%</td>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"words\">trace, simulated</td>"));
  EXPECT_THAT(page, HasSubstr("<p class=\"soft\">trace counts"));
  EXPECT_THAT(summary, HasSubstr("|:---|---:|---:|---:|---:|---:|:---|\n| `uot  M:8 N:8  @native-v4` | | | | "
                                 "| | |\n| `a threads:1` "));
  EXPECT_THAT(summary, HasSubstr("\n- trace counts"));
}

TEST(CounterTables, FitAPullRequestWhateverTheyHold) {
  std::vector<Rounds> cases;
  for (int i = 0; i < 3000; ++i) {
    Json counters = caches(1000, 5, 1);
    counters[fmt::format("event{}", i % 40)] = {{"reason", fmt::format("{}{}", i, std::string(300, 'x'))}};
    cases.push_back(made(fmt::format("uot/v{}", i), counters));
  }
  const auto run = run_of_rounds(cases);
  const RunView view = view_of(run);
  const std::string summary = markdown_of(Report{.runs = {&view}, .tables = counters_tables(view)});
  EXPECT_LT(summary.size(), 65536u);
  EXPECT_THAT(summary, HasSubstr("more rows"));
}

// What the work model says as operations is held against what was counted under the same name.
TEST(CountersTable, HoldsOperationsAgainstTheirModel) {
  Rounds sends = made(
      "uot/a", {{"messages", {{"value", 6}, {"source", "mpi"}, {"kind", "exact"}, {"unit", "messages"}}}});
  sends.work.operations = {{"messages", 4}};
  const auto all = tables(run_of_rounds({sends}));
  EXPECT_THAT(titles_of(all.back()), Contains("messages, counted/ modelled"));
  EXPECT_THAT(texts_of(all.back()).back(), Contains("1.500"));
}

}  // namespace
}  // namespace uotbench
