// Runs with a known bottleneck: each gets exactly the verdict that it was made for.
#include <gmock/gmock.h>

#include <functional>

#include "results/base/json.hpp"
#include "results/record/counters.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

// Under made_ceilings two threads read 80 GB from DRAM in 1 s, of which 0.125 s in L1; cores at 3 GHz. A
// region takes 1 us, a page fault and a barrier 0.5 us, a misprediction 10 ns.
constexpr double clock_hz = 3e9, region_seconds = 1e-6, fault_seconds = 0.5e-6, barrier_seconds = 0.5e-6;
constexpr double misprediction_seconds = 1e-8;
const Work from_memory{.bytes_read = 80e9, .working_set = 400e6};
const Work in_l1{.bytes_read = 8e9, .working_set = 16e3};  // 12.5 ms of loads

void count(Record& record, const char* name, double value) { record.counters[name].value = value; }
void count_lines(Record& record, double times) {
  count(record, counter_names::l1_misses, times * record.work->bytes_read / 64);
}
/// The code of which is_made_of says what it takes.
void count_code(Record& record) {
  Counter& code = record.counters[counter_names::by_block];
  code.value = 2;
  code.lines = {{"made+0x0, 2 instructions: ffc975fc", 2}};
}
void took_turns(Record& record, double busy) {
  for (auto& process : record.time->processes) process.busy = busy;
}

struct MadeBottleneck {
  const char* name;
  Bottleneck verdict;
  const char* says;
  Work work;
  double measured;             ///< seconds
  InCore core = {.tool = {}};  ///< unknown where not given
  std::function<void(Record&)> facts = [](Record&) {};
  double chase = 0;  ///< bytes of a chase of 100 ns a load in the run; 0: none
};

InCore core(double overlapping_seconds, double memory_seconds, const char* bound) {
  return {.tool = "made",
          .overlapping = overlapping_seconds * 2 * clock_hz,
          .memory = memory_seconds * 2 * clock_hz,
          .bound = bound,
          .share = 1};
}

const MadeBottleneck made_bottlenecks[]{
    {"stream_from_memory", Bottleneck::memory_bandwidth, "memory bandwidth at DRAM: 500.0 ms", from_memory,
     1.05},
    {"rows_read_again_from_l2",
     Bottleneck::memory_bandwidth,
     "memory bandwidth at L2: 1.000 s",
     from_memory,
     2,
     {.tool = {}},
     [](Record& record) { count_lines(record, 8); }},
    {"data_in_l1", Bottleneck::core_throughput, "in-core throughput (load and store units)", in_l1, 12.5e-3,
     core(5e-3, 12e-3, "Port2")},
    {"fmas",
     Bottleneck::core_throughput,
     "in-core throughput (multiply-adds): 3.000 s",
     {.flops = 300e9, .bytes_read = 80e9, .working_set = 400e6},
     3.1},
    {"shuffles", Bottleneck::core_throughput, "in-core throughput (Port5): 4.000 s", from_memory, 4.1,
     core(4, 0.5, "Port5")},
    {"chain_of_adds", Bottleneck::dependency_chain, "dependency chain: 5.000 s", from_memory, 5.2,
     core(5, 0.5, "dependency chain")},
    {"gather",
     Bottleneck::latency,
     "400.0M misses (L3.misses) of 100.0 ns each are 20.00 s",
     from_memory,
     19,
     {.tool = {}},
     [](Record& record) { count(record, counter_names::l3_misses, 400e6); },
     400e6},
    {"rows_of_4_KiB_by_columns",
     Bottleneck::latency,
     "latency (scattered lines from DRAM): 7.500 s predicted, measured 8.000 s",
     from_memory,
     8,
     {.tool = {}},
     [](Record& record) {
       count(record, counter_names::l3_misses, record.work->bytes_read / 64);
       count(record, counter_names::l3_scattered, record.work->bytes_read / 64);
     }},
    {"small_regions",
     Bottleneck::overhead,
     "barrier or launch overhead: 3.000 s",
     from_memory,
     4.1,
     {.tool = {}},
     [](Record& record) { count(record, counter_names::regions, 3e6); }},
    {"fresh_pages",
     Bottleneck::pages,
     "pages: 2.000 s predicted, measured 3.050 s",
     from_memory,
     3.05,
     {.tool = {}},
     [](Record& record) { count(record, counter_names::page_faults, 4e6); }},
    {"random_branches", Bottleneck::mispredictions,
     "mispredicted branches: 2.000 s predicted, measured 3.100 s", from_memory, 3.1, core(0.5, 0.1, "Port0"),
     [](Record& record) { count(record, counter_names::mispredicted, 400e6); }},
    {"pages_4_KiB_apart",
     Bottleneck::pages,
     "40.00M page walks (TLB.misses) of 100.0 ns each are 2.000 s",
     from_memory,
     2.9,
     {.tool = {}},
     [](Record& record) { count(record, counter_names::page_walks, 40e6); },
     400e6 * 8 / 4096},
    {"serial_section",
     Bottleneck::imbalance,
     "the busiest of 2 threads makes 2.00x its even share",
     from_memory,
     1.9,
     {.tool = {}},
     [](Record& record) {
       count(record, counter_names::all_accesses, 20e9);
       count(record, counter_names::longest_share, 20e9);
     }},
    {"three_quarters_of_the_rows",
     Bottleneck::imbalance,
     "the busiest of 2 threads makes 1.50x",
     from_memory,
     1.6,
     {.tool = {}},
     [](Record& record) {
       count(record, counter_names::all_accesses, 20e9);
       count(record, counter_names::longest_share, 15e9);
     }},
    {"even_shares",
     Bottleneck::unexplained,
     "590.0 ms of 1.600 s are not explained",
     from_memory,
     1.6,
     {.tool = {}},
     [](Record& record) {
       count(record, counter_names::all_accesses, 20e9);
       count(record, counter_names::longest_share, 10.1e9);
     }},
    {"barrier_after_each_row",
     Bottleneck::overhead,
     "barrier or launch overhead: 2.000 s predicted, measured 3.100 s",
     from_memory,
     3.1,
     {.tool = {}},
     [](Record& record) { count(record, counter_names::barriers, 4e6); }},
    {"false_sharing",
     Bottleneck::latency,
     "40.00M misses of lines that other threads wrote (L1D.true_sharing_misses, L1D.false_sharing_misses) of "
     "up to 100.0 ns each are 2.000 s",
     from_memory,
     2.9,
     {.tool = {}},
     [](Record& record) {
       count(record, counter_names::false_sharing, 39e6);
       count(record, counter_names::true_sharing, 1e6);
     },
     16e6},
    {"throttled", Bottleneck::frequency, "its cores ran at 1.50 GHz, and at 3.00 GHz for the ceilings",
     from_memory, 8.2, core(4, 0.5, "Port0"),
     [](Record& record) {
       record.env.set(clock_fact, {1.6e9, 1.5e9, 1.5e9, 1.4e9});
     }},
    {"slow_clock_but_bound_by_memory", Bottleneck::unexplained, "are not explained by its parts", from_memory,
     3, core(0.2, 0.1, "Port0"),
     [](Record& record) {
       record.env.set(clock_fact, {1.5e9, 1.5e9});
     }},
    {"neighbour",
     Bottleneck::other_processes,
     "it had its CPUs for 55.0% of the time",
     from_memory,
     1.9,
     {.tool = {}},
     [](Record& record) { took_turns(record, 0.55); }},
    {"denormals", Bottleneck::unexplained, "9.000 s of 10.00 s are not explained", from_memory, 10},
    {"model_moves_too_much", Bottleneck::unexplained, "the work model moves too much", from_memory, 0.5},
};

Ceilings ceilings() {
  Ceilings made = made_ceilings();
  made.roofs.push_back(bandwidth_roof("strided_read", "DRAM", 2, 10e9));
  const auto add = [&](const char* operation, double rate) {
    Roof roof = bandwidth_roof(operation, "", 2, rate);
    roof.operation = operation;
    made.roofs.push_back(roof);
  };
  add("cycle", 2 * clock_hz);
  add("region", 1 / region_seconds);
  add("fault", 1 / fault_seconds);
  add("barrier", 1 / barrier_seconds);
  add("misprediction", 2 / misprediction_seconds);
  return made;
}

class MadeBottleneckTest : public testing::TestWithParam<MadeBottleneck> {};

TEST_P(MadeBottleneckTest, GetsItsVerdict) {
  const MadeBottleneck& made = GetParam();
  uotbench::Run run = made_run({{"uot/made", made.work, made.measured}}, {ceilings()});
  if (made.core.known()) count_code(run.records.front());
  made.facts(run.records.front());
  if (made.chase > 0) {
    const Work loads{.working_set = made.chase, .operations = {{"load", 1e6}}};
    run.records.push_back(made_run({{"ceiling/chase", loads, 0.1}}, {}).records.front());
  }
  const RunView view = view_under_roofs(run);
  const auto all = explain_all(view, [&](const uotbench::Run&, const Record&) { return made.core; });
  ASSERT_EQ(all.size(), 1u);
  EXPECT_STREQ(name_of(all.front().bottleneck), name_of(made.verdict)) << all.front().verdict;
  EXPECT_THAT(all.front().verdict, HasSubstr(made.says));
}

INSTANTIATE_TEST_SUITE_P(Made, MadeBottleneckTest, testing::ValuesIn(made_bottlenecks),
                         [](const auto& info) { return std::string(info.param.name); });

// What removing a cause gains is measured against the parts alone.
TEST(Verdict, SaysWhatEvenSharesWouldGain) {
  uotbench::Run run = made_run({{"uot/made", from_memory, 1.9}}, {ceilings()});
  count(run.records.front(), counter_names::all_accesses, 20e9);
  count(run.records.front(), counter_names::longest_share, 20e9);
  const RunView view = view_under_roofs(run);
  const auto all = explain_all(view, [](const uotbench::Run&, const Record&) { return InCore{.tool = {}}; });
  EXPECT_EQ(all.at(0).next, "with even shares at most 1.90x as fast");
  EXPECT_EQ(json_of(all[0]).at("imbalance"), 2);
}

// Work in even shares takes 1 s; what is waited for besides is not shared.
TEST(Verdict, TakesTheBusiestThreadIntoThePrediction) {
  uotbench::Run run = made_run({{"uot/made", from_memory, 1.55}}, {ceilings()});
  Record& record = run.records.front();
  count(record, counter_names::all_accesses, 20e9);
  count(record, counter_names::longest_share, 12e9);
  count(record, counter_names::barriers, 0.6e6);
  const RunView view = view_under_roofs(run);
  const auto all = explain_all(view, [](const uotbench::Run&, const Record&) { return InCore{.tool = {}}; });
  EXPECT_NEAR(all.at(0).together, 1.2 + 0.3, 1e-9);
  EXPECT_EQ(all[0].parts.all.back().name, "imbalance");
  EXPECT_NEAR(all[0].parts.all.back().seconds, 0.2, 1e-9);
  EXPECT_EQ(all[0].bottleneck, Bottleneck::memory_bandwidth) << "it is explained without, too";
}

TEST(Verdict, OfOneThreadIsNeverImbalance) {
  uotbench::Run run = made_run({{"uot/made", from_memory, 5, 1}}, {ceilings()});
  count(run.records.front(), counter_names::all_accesses, 20e9);
  count(run.records.front(), counter_names::longest_share, 20e9);
  const RunView view = view_under_roofs(run);
  const auto all = explain_all(view, [](const uotbench::Run&, const Record&) { return InCore{.tool = {}}; });
  EXPECT_FALSE(all.at(0).imbalance);
  EXPECT_EQ(all[0].bottleneck, Bottleneck::unexplained);
}

}  // namespace
}  // namespace uotbench
