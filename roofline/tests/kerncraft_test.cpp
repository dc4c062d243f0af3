// Published ECM predictions through the same composition: J. Hammer, G. Hager, J. Eitzinger, G. Wellein,
// "Automatic Loop Kernel Analysis and Performance Modeling With Kerncraft", PMBS 2015, doi
// 10.1145/2832087.2832092, table 5. Of one core of a Xeon E5-2680 (SNB) and a Xeon E5-2695 v3 in
// cluster-on-die mode (HSW), f64, data in memory.
#include <gmock/gmock.h>

#include "results/record/counters.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

constexpr double line = 64;  // bytes

struct Machine {
  double clock;               ///< GHz
  double l1_to_l2, l2_to_l3;  ///< bytes a cycle, of the paper's table 1
  /// GB/s of all cores of a memory domain, write-allocate left out: Kerncraft's machine files of that year
  /// (phinally.yaml, hasep1_cod.yaml at dc90795).
  double memory_copy, memory_load;
  /// GB/s of one core with its data in L1, L2, L3 and memory, write-allocate left out: likwid-bench in
  /// SandyBridgeEP_E5-2680.yml and HaswellEP_E5-2695v3_CoD.yml at 5d1cc67.
  double copy[4], load[4];
};
constexpr Machine snb{2.7, 32, 32, 27.12, 44.40, {83.27, 36.74, 21.93, 11.12}, {84.07, 31.46, 23.47, 12.30}};
constexpr Machine hsw{
    2.3, 64, 32, 17.61, 32.25, {136.51, 36.65, 21.49, 10.34}, {135.30, 59.37, 27.88, 12.79}};

/// Of what fills a line of f64 in each array.
struct Kernel {
  double read, written;        ///< lines by the work model; each line that is written is fetched first
  double into_l1;              ///< lines that come into L1: more where it holds no three rows of the grid
  double overlapping, memory;  ///< T_OL, T_nOL by IACA: cycles
  const char* bound;
};
constexpr Kernel jacobi_snb{1, 1, 4, 9.5, 8, "port"}, jacobi_hsw{1, 1, 4, 9.4, 8, "port"};
constexpr Kernel triad_snb{3, 1, 4, 4, 6, "port"}, triad_hsw{3, 1, 4, 4, 3, "port"};
constexpr Kernel kahan{2, 0, 2, 96, 8, "dependency chain"};

/// A prediction, cycles per line.
struct Case {
  const char* name;
  const Machine& machine;
  const Kernel& kernel;
  double transfers[3];      ///< published: L1-L2, L2-L3, L3-memory
  double predicted;         ///< published
  double measured;          ///< published
  double documented, here;  ///< by this model: with documented bandwidths, with ceilings measured on one core
};
const Case cases[]{
    {"jacobi_2d_5pt_snb", snb, jacobi_snb, {10, 6, 12.7}, 36.7, 36.4, 36.7, 38.4},
    {"jacobi_2d_5pt_hsw", hsw, jacobi_hsw, {5, 6, 16.7}, 35.7, 30.0, 35.7, 38.2},
    {"schoenauer_triad_snb", snb, triad_snb, {10, 10, 21.9}, 47.9, 58.8, 46.5, 56.9},
    {"schoenauer_triad_hsw", hsw, triad_hsw, {5, 10, 26.3}, 44.3, 48.3, 43.8, 50.2},
    {"kahan_dot_snb", snb, kahan, {4, 4, 7.8}, 96.0, 101.1, 96.0, 96.0},
    {"kahan_dot_hsw", hsw, kahan, {2, 4, 9.1}, 96.0, 98.0, 96.0, 96.0},
};

constexpr const char* levels[]{"L1", "L2", "L3", "DRAM"};
constexpr double lines_updated = 1e6;  // of a unit

Ceilings no_roofs() {
  return {.source = "measured",
          .name = "published",
          .device = "cpu",
          .fingerprint = {},
          .made = {},
          .about = {},
          .roofs = {}};
}

void add_roof(Ceilings& ceilings, const char* kernel, int level, double gigabytes) {
  ceilings.roofs.push_back(bandwidth_roof(kernel, levels[level], 1, 1e9 * gigabytes));
}

/// Kernels that take what the ECM model composes from the documented bandwidths: what they take in L1, 2
/// cycles a line here, cancels out.
Ceilings documented(const Machine& machine) {
  Ceilings made = no_roofs();
  const auto add = [&](const char* kernel, double useful, double moved, double memory_bandwidth) {
    double cycles = 2 * useful;
    const double transfers[]{0, moved * line / machine.l1_to_l2, moved * line / machine.l2_to_l3,
                             useful * line * machine.clock / memory_bandwidth};
    for (int level = 0; level < 4; ++level)
      add_roof(made, kernel, level, useful * line * machine.clock / (cycles += transfers[level]));
  };
  add("read", 1, 1, machine.memory_load);
  add("copy", 2, 3, machine.memory_copy);
  return made;
}

Ceilings measured_on(const Machine& machine) {
  Ceilings made = no_roofs();
  for (int level = 0; level < 4; ++level) {
    add_roof(made, "copy", level, machine.copy[level]);
    add_roof(made, "read", level, machine.load[level]);
  }
  return made;
}

class Kerncraft : public testing::TestWithParam<Case> {
 protected:
  /// Under these ceilings, where it takes the published time.
  const Explanation& explained(Ceilings ceilings) {
    const auto& [name, machine, kernel, transfers, predicted, measured, documented, here] = GetParam();
    Roof clock = bandwidth_roof("cycle", "", 1, 1e9 * machine.clock);
    clock.operation = "cycle";
    ceilings.roofs.push_back(clock);
    const Work work{.bytes_read = kernel.read * line * lines_updated,
                    .bytes_written = kernel.written * line * lines_updated,
                    .write_allocate = kernel.written * line * lines_updated,
                    .working_set = 1e9};
    run_ = made_run({{"uot/published", work, measured * seconds_a_cycle(), 1}}, {ceilings});
    Record& record = run_.records.front();
    record.counters[counter_names::l1_misses].value = kernel.into_l1 * lines_updated;
    Counter& code = record.counters[counter_names::by_block];
    code.value = 2;
    code.lines = {{"published+0x0, 2 instructions: ffc975fc", 2}};
    view_.emplace(view_under_roofs(run_));
    all_ = explain_all(*view_, [&](const uotbench::Run&, const Record&) {
      return InCore{.tool = "IACA",
                    .overlapping = kernel.overlapping * lines_updated,
                    .memory = kernel.memory * lines_updated,
                    .bound = kernel.bound,
                    .share = 1};
    });
    return all_.at(0);
  }
  double seconds_a_cycle() const { return lines_updated / (1e9 * GetParam().machine.clock); }
  double cycles(double seconds) const { return seconds / seconds_a_cycle(); }

  uotbench::Run run_;
  std::optional<RunView> view_;
  std::vector<Explanation> all_;
};

// Transfers are the published ones. Only the triad's from memory is not: Kerncraft takes the bandwidth of a
// triad for all of its streams, and this model that of a copy for two of them and of loads for the others.
TEST_P(Kerncraft, FromDocumentedBandwidthsIsTheSame) {
  const Case& published = GetParam();
  const Explanation& it = explained(documented(published.machine));
  ASSERT_EQ(it.parts.all.size(), 5u);
  EXPECT_NEAR(cycles(it.parts.all[0].seconds), published.kernel.overlapping, 1e-6);
  EXPECT_NEAR(cycles(it.parts.all[1].seconds), published.kernel.memory, 1e-6);
  const bool mixed = published.kernel.read > 1 && published.kernel.written > 0;
  EXPECT_NEAR(cycles(it.parts.all[2].seconds), published.transfers[0], 0.05);
  EXPECT_NEAR(cycles(it.parts.all[3].seconds), published.transfers[1], 0.05);
  EXPECT_NEAR(cycles(it.parts.all[4].seconds), published.transfers[2],
              mixed ? 0.07 * published.transfers[2] : 0.05);
  EXPECT_NEAR(cycles(it.together), published.documented, 0.05);
}

// Real ceilings of one core overlap and wait as that core does, which transfers that only add up leave out:
// the triad, 23% above the published prediction on SNB, is within 4% of this one.
TEST_P(Kerncraft, FromMeasuredCeilingsIsNearTheMeasuredTime) {
  const Case& published = GetParam();
  const Explanation& it = explained(measured_on(published.machine));
  EXPECT_NEAR(cycles(it.together), published.here, 0.05);
  EXPECT_NEAR(it.ratio(), published.measured / published.here, 0.002);
  if (published.kernel.bound == std::string("dependency chain"))
    EXPECT_EQ(it.bottleneck, Bottleneck::dependency_chain);
  else if (it.ratio() < least_explained)  // the paper, too, predicts more than was measured, and says why not
    EXPECT_THAT(it.verdict, HasSubstr("but its parts come to"));
  else
    EXPECT_THAT(it.verdict, HasSubstr("memory bandwidth at DRAM"));
}

INSTANTIATE_TEST_SUITE_P(Published, Kerncraft, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

// Listing 5 of the paper: "saturating at 3 cores".
TEST(KerncraftSaturation, OfTheJacobiKernelIsAtThreeCores) {
  Ceilings ceilings = measured_on(snb);
  ceilings.roofs.push_back(bandwidth_roof("copy", "DRAM", 8, 1e9 * snb.memory_copy));
  ceilings.roofs.push_back(bandwidth_roof("read", "DRAM", 8, 1e9 * snb.memory_load));
  const double bytes = line * lines_updated;
  const uotbench::Run run =
      made_run({{"uot/published",
                 {.bytes_read = bytes, .bytes_written = bytes, .write_allocate = bytes, .working_set = 1e9},
                 36.4e-9 / 2.7 * lines_updated,
                 1}},
               {ceilings});
  const RunView view = view_under_roofs(run);
  const auto all = explain_all(view, [](const uotbench::Run&, const Record&) { return InCore{.tool = {}}; });
  EXPECT_THAT(all.at(0).saturation, HasSubstr("with 3 threads"));
}

}  // namespace
}  // namespace uotbench
