// The matching ladder without a GPU: the published counters are reproduced, and docs/results/matching.md's
// numbers are those of a run.
#include <fmt/format.h>

#include <map>
#include <set>

#include "results/record/counters.hpp"
#include "tools/tests/fixtures.hpp"
#include "tools/tests/printed.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class LadderRun : public testing::Test {
 protected:
  Outcome said(const std::vector<std::string>& arguments) const {
    return uotbench(folder_.path(), arguments);
  }
  void expect_the_published_counters() const;
  void expect_pages_and_figures() const;
  void expect_what_its_page_says() const;

  Folder folder_;
};

// A test of its own for each part would count the ladder again.
TEST_F(LadderRun, ReproducesThePublishedCountersAndStandsOnPages) {
  if (!fs::exists(bin + "/uotbench-worker-simt-trace") || !fs::exists(bin + "/uotbench-worker-native-v3"))
    GTEST_SKIP() << "no worker simt-trace, or none for this CPU";
  const Outcome outcome =
      said({"--sweep", "matching.json", "--filter", "@simt-trace$", "--quiet", "--output", "run.jsonl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_the_published_counters();
  expect_pages_and_figures();
  expect_what_its_page_says();
}

void LadderRun::expect_the_published_counters() const {
  const Outcome shown = said({"show", "run.jsonl", "--json"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  const Json published = Json::parse(shown.out).at("published");
  std::map<std::string, double> ratios;
  for (const auto& row : published.at("rows"))
    if (!row.at("ratio").is_null())
      ratios[row.at("variant").get<std::string>() + " " + row.at("quantity").get<std::string>()] =
          row.at("ratio");
  EXPECT_NEAR(ratios["match/gpu2_shared GPU.shared_load_wavefronts_widened"], 1, 1e-6);
  EXPECT_NEAR(ratios["match/gpu2_shared GPU.shared_load_conflicts_widened"], 1, 1e-6);
  EXPECT_EQ(ratios["match/gpu2_shared GPU.shared_load_requests_widened"], 1);
  EXPECT_NEAR(ratios["match/gpu3_padded GPU.shared_load_wavefronts_widened"], 1, 0.05) << "two digits";
  EXPECT_EQ(ratios.size(), 4u) << "nothing was timed";
  for (const auto& row : published.at("occupancy")) {
    if (row.at("published_theoretical").is_null()) continue;
    EXPECT_EQ(row.at("theoretical"), row.at("published_theoretical")) << row.at("variant");
  }
  const std::string text = said({"show", "run.jsonl"}).out;
  EXPECT_THAT(
      text, ContainsRegex("gpu2_shared +GPU.shared_load_wavefronts_widened +9.144G +9.144G +1.0000 +4096 "));
  EXPECT_THAT(text, HasSubstr("Theoretical occupancy"));
}

void LadderRun::expect_pages_and_figures() const {
  ASSERT_EQ(said({"report", "run.jsonl", "-o", "report.html"}).code, 0);
  const std::string page = text_of(folder_.path() / "report.html");
  EXPECT_THAT(page, HasSubstr("<h2>Compared with published values</h2>"));
  EXPECT_THAT(page, HasSubstr("<b>Ladder</b>"));
  EXPECT_THAT(said({"report", "run.jsonl", "--format", "markdown"}).out,
              HasSubstr("### Compared with published values"));
  const Outcome figure = said({"figure", "ladder", "run.jsonl", "-o", "ladder.svg", "--data"});
  ASSERT_EQ(figure.code, 0) << figure.err;
  EXPECT_THAT(text_of(folder_.path() / "ladder.csv"),
              HasSubstr("match/gpu8_two_features,rate,,flops/seconds,,,6526"));
  const Outcome wrong =
      said({"figure", "ladder", "run.jsonl", "--value", "rate,GPU.load_sector", "-o", "wrong.svg"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err,
              HasSubstr("ladder: value \"GPU.load_sector\" (did you mean GPU.load_sectors?): no such "
                        "counter or metric here; there are: rate, "));
}

void LadderRun::expect_what_its_page_says() const {
  const std::string page = text_of(fs::path(UOTBENCH_SOURCE_DIR) / "docs/results/matching.md");
  const auto text = [](double value) {
    return value < 1000 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value);
  };
  int rungs = 0;
  for (const auto& [id, record] : records_of(folder_.path() / "run.jsonl")) {
    const auto row = page.find(fmt::format("\n| `{}` |", record.variant.substr(6)));
    if (row == std::string::npos) continue;
    ++rungs;
    const double thousands = record.work->flops / 2 / 1000;  // of multiply-adds
    const auto each = [&](const char* counter) {
      return text(counted(record, counter).value_or(-1) / thousands);
    };
    EXPECT_THAT(
        page.substr(row + 1, page.find('\n', row + 1) - row - 1),
        testing::EndsWith(fmt::format(" | {} | {} | {} |", each("GPU.shared_load_wavefronts_widened"),
                                      each("GPU.shared_load_conflicts_widened"), each("GPU.load_sectors"))));
  }
  EXPECT_EQ(rungs, 10);
}

// The matching ladder's rungs on a GPU, without one: what each asks of memory, and that it is right.

using testing::AllOf;
using testing::StartsWith;

using Counts = std::map<std::string, double>;

const std::string golden_counts = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/counts/match.json";

class Rungs : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(bin + "/uotbench-worker-simt")) GTEST_SKIP() << "no Boost.Context, or a sanitizer";
    if (!fs::exists(bin + "/uotbench-worker-simt-trace")) GTEST_SKIP() << "not built by g++ for x86-64";
  }

  /// Of `rungs` at N = 256 and D = 128, by the part of the variant's name after "match/gpu". They are counted
  /// once, for the golden file.
  static std::map<std::string, Counts> counted(const std::vector<std::string>& rungs) {
    const Json golden = Json::parse(text_of(golden_counts));
    std::map<std::string, Counts> counts;
    for (const auto& rung : rungs) counts[rung] = golden.at("match/gpu" + rung).get<Counts>();
    return counts;
  }

  /// Of a sweep or a command that only judges: how often each variant was right. Skipped ones are not
  /// counted.
  std::map<std::string, int> judged(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--verify-only", "--quiet", "--output", "run.jsonl"});
    const Outcome outcome = uotbench(folder_.path(), arguments, 240);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::map<std::string, int> right;
    for (const auto& [id, record] : records_of(folder_ / "run.jsonl")) {
      EXPECT_EQ(verdict(record), "ok") << id;
      EXPECT_FALSE(record.time) << id << ": how long the CPU takes says nothing";
      ++right[record.variant];
    }
    return right;
  }

  Folder folder_;
};

TEST_F(Rungs, AreRightInAnyNumberOfParts) {
  const auto right =
      judged({"run", "match/gpu9_register_tile", "match/gpu10_second_best", "--worker", "simt", "-a",
              "N=1,129,700", "-a", "D=12,128", "-a", "parts=1,2,3,5,64", "-a", "data=random,negative"});
  EXPECT_EQ(right,
            (std::map<std::string, int>{{"match/gpu10_second_best", 60}, {"match/gpu9_register_tile", 60}}));
}

TEST_F(Rungs, TellWhyABlockCannotHaveItsPoints) {
  const Outcome outcome =
      uotbench(folder_.path(), {"run", "match/gpu*", "--worker", "simt", "-a", "N=3", "-a", "D=1024",
                                "--verify-only", "--output", "run.jsonl"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::map<std::string, std::string> skipped;
  for (const auto& [id, record] : records_of(folder_ / "run.jsonl"))
    if (record.status == Status::skipped) skipped[record.variant.substr(9, 1)] = record.reason.value_or("");
  // 16 + 16 points of 4096 bytes and what each rung has besides; 32 + 32 of them.
  const auto violation = [](int bytes) {
    return "a block would have " + std::to_string(bytes) +
           " bytes of shared memory; at most 49152: a smaller D";
  };
  EXPECT_EQ(skipped, (std::map<std::string, std::string>{{"2", violation(32 * 4096 + 1024)},
                                                         {"3", violation(32 * 4096 + 64 + 1024)},
                                                         {"4", violation(32 * 4096 + 256 + 1024)},
                                                         {"5", violation(32 * 4096 + 256 + 1024)},
                                                         {"6", violation(32 * 4096 + 256)},
                                                         {"7", violation(64 * 4096)},
                                                         {"8", violation(64 * 4096)}}));
}

TEST_F(Rungs, CountsAreThoseOfTheGoldenFile) {
  const auto counts = counts_by_variant(folder_.path(), {"match/gpu*", "-a", "N=256"});
  EXPECT_GE(counts.size(), 10u);
  expect_golden(golden_counts, Json(counts).dump(1) + "\n");
}

TEST_F(Rungs, CountsAreTheSameInAnyOrder) {
  EXPECT_GE(counts_by_variant(folder_.path(), {"match/gpu*", "-a", "N=100", "-a", any_order}).size(), 10u);
}

// A profiler counted at N = 16384 what is counted here at N = 256: (16384 / 256)^2 = 4096 times as much. It
// saw loads that ptxas had made 16 bytes wide.
TEST_F(Rungs, PublishedSharedLoadsAreReachedAgain) {
  auto counts = counted({"2_shared", "3_padded"});
  // 16 blocks of 8 warps meet 16 tiles, 2048 times 2 * 128 loads of a word; then the block's first half warp
  // loads 16 scores of each of its queries.
  Counts& shared = counts["2_shared"];
  EXPECT_EQ(shared["GPU.shared_load_requests"], 2048 * 2 * 128 + 16 * 16 * 16);
  // A warp's 16 queries stand in one bank, and so do its 2 candidates.
  EXPECT_EQ(shared["GPU.shared_load_wavefronts"], 2048 * 128 * (16 + 2) + 4096);
  EXPECT_EQ(shared["GPU.shared_worst_degree"], 16);
  // Widened, 32 + 32 loads: 8 queries in each quarter of a warp want the same banks; a half has one
  // candidate.
  EXPECT_EQ(shared["GPU.shared_load_requests_widened"], 2048 * 64 + 4096);
  EXPECT_EQ(shared["GPU.shared_load_wavefronts_widened"], 2048 * 32 * (4 * 8 + 2) + 4096);
  EXPECT_EQ(shared["GPU.shared_load_conflicts_widened"], 2048 * 32 * 4 * 7);
  EXPECT_NEAR(4096 * shared["GPU.shared_load_wavefronts_widened"], 9143582932, 1e6);
  EXPECT_NEAR(4096 * shared["GPU.shared_load_conflicts_widened"], 7516192980, 1e6);

  Counts& padded = counts["3_padded"];
  EXPECT_EQ(padded["GPU.shared_load_requests"], shared["GPU.shared_load_requests"]);
  EXPECT_EQ(padded["GPU.shared_load_wavefronts"], 2048 * 128 * (1 + 2) + 4096);
  EXPECT_EQ(padded["GPU.shared_worst_degree"], 2);
  // A query's words no longer stand on 16 bytes: 128 loads; those of candidates stay wide.
  EXPECT_EQ(padded["GPU.shared_load_requests_widened"], 2048 * (128 + 32) + 4096);
  EXPECT_EQ(padded["GPU.shared_load_wavefronts_widened"], 2048 * (128 + 32 * 2) + 4096);
  EXPECT_EQ(padded["GPU.shared_load_conflicts_widened"], 0);
  EXPECT_NEAR(4096 * padded["GPU.shared_load_wavefronts_widened"], 1.6e9, 0.05e9);
}

TEST_F(Rungs, EachAsksForWhatItsHeadSays) {
  auto counts =
      counted({"3_padded", "4_float4", "5_four_matches", "6_register_best", "7_circulant", "8_two_features"});
  const auto loads = [&](const char* rung) { return counts[rung]["GPU.shared_load_requests"]; };
  const auto wavefronts = [&](const char* rung) { return counts[rung]["GPU.shared_load_wavefronts"]; };
  // float4: a quarter of the requests for points, for no fewer bytes than rung 3's widened loads bring.
  EXPECT_EQ(loads("4_float4") - 4096, (loads("3_padded") - 4096) / 4);
  EXPECT_EQ(wavefronts("4_float4"), counts["3_padded"]["GPU.shared_load_wavefronts_widened"]);
  EXPECT_LT(counts["4_float4"]["GPU.load_requests"], counts["3_padded"]["GPU.load_requests"]);
  // Four matches: 1 + 4 loads for four products of four, where there were 4 + 4.
  EXPECT_EQ(loads("5_four_matches") - 4096, (loads("4_float4") - 4096) * 5 / 8);
  EXPECT_LT(wavefronts("5_four_matches"), wavefronts("4_float4"));
  // Bests in registers: no scores but those of the end, four for each query.
  EXPECT_LT(loads("6_register_best"), loads("5_four_matches"));
  EXPECT_EQ(counts["5_four_matches"]["GPU.shared_store_requests"] -
                counts["6_register_best"]["GPU.shared_store_requests"],
            16 * 16 * 2 * 4 - 16 * 2);
  // A circulant has no conflicts, without padding; a tile of 32 queries halves the times that candidates
  // come.
  EXPECT_EQ(counts["7_circulant"]["GPU.shared_worst_degree"], 1);
  EXPECT_EQ(counts["7_circulant"]["GPU.load_requests"] - 256,
            (counts["6_register_best"]["GPU.load_requests"] - 256) / 2);
  EXPECT_LT(counts["7_circulant"]["GPU.barriers"], counts["6_register_best"]["GPU.barriers"] / 3);
  // Two features: 2 + 4 loads for eight products of four, where there were 2 * (1 + 4).
  EXPECT_EQ(loads("8_two_features") - 8 * 8, (loads("7_circulant") - 8 * 7) * 6 / 10);
  EXPECT_LT(wavefronts("8_two_features"), wavefronts("7_circulant"));
  EXPECT_EQ(counts["8_two_features"]["GPU.shared_worst_degree"], 1);
}

TEST_F(Rungs, RegisterTilesReadAQuarterOfWhatTwoFeaturesDo) {
  auto counts = counted({"8_two_features", "9_register_tile", "10_second_best"});
  Counts& eight = counts["8_two_features"];
  for (const char* rung : {"9_register_tile", "10_second_best"}) {
    Counts& tile = counts[rung];
    // 4 blocks of 8 warps read 128 times 4 * 16 bytes, lanes together, in two wavefronts each: no conflicts.
    const double loop = 4 * 8 * 128 * 4;
    EXPECT_EQ(tile["GPU.shared_load_conflicts"], 0) << rung;
    EXPECT_GE(tile["GPU.shared_load_requests"], loop) << rung;
    EXPECT_LT(tile["GPU.shared_load_requests"], 1.01 * loop) << rung << ": little at the end";
    EXPECT_LT(tile["GPU.shared_load_wavefronts"], 1.01 * 2 * loop) << rung;
    EXPECT_LT(tile["GPU.shared_load_wavefronts"], 0.26 * eight["GPU.shared_load_wavefronts"]) << rung;
    EXPECT_LT(tile["GPU.shared_load_requests"], eight["GPU.shared_load_requests"] / 2) << rung;
    EXPECT_LT(tile["GPU.load_sectors"], eight["GPU.load_sectors"] / 2) << rung;
  }
}

TEST_F(Rungs, BrokenOnesAreToldFromRightOnes) {
  struct Broken {
    std::string mistake, data, D;
    testing::Matcher<std::string> reason;
  };
  const auto at = [](auto... parts) {
    return AllOf(StartsWith("kernel circulant<"), HasSubstr("broken_rung.cu:"), HasSubstr(", block ("),
                 HasSubstr(parts)...);
  };
  const std::vector<Broken> all{
      {"as_printed", "random", "128", at("a race: ", "bytes of shared memory that thread 0 wrote")},
      {"product_read", "random", "128", at("past the end of the dynamic shared memory of 32768 bytes")},
      {"product_read", "random", "4", StartsWith("wrong: score of query 1 is ")},
      {"unshifted", "random", "128", StartsWith("wrong: score of query 1 is ")},
      {"from_zero", "negative", "128", "outputs untouched: index was not written"},
      {"no_barrier", "random", "128", at("a race: ", "neither a barrier nor a collective")},
  };
  const std::string worker = "broken=" + bin + "/uotbench-worker-simt-broken";
  const auto run = [&](const Broken& one) {
    const std::string file = one.mistake + one.D + ".jsonl";
    const Outcome outcome =
        uotbench(folder_.path(),
                 {"run", "match/gpu_broken", "-a", "N=100", "-a", "D=" + one.D, "-a", "data=" + one.data,
                  "-a", "mistake=" + one.mistake, "--worker", worker, "--verify-only", "--output", file});
    EXPECT_EQ(outcome.code, one.mistake == "none" ? 0 : 1) << one.mistake << outcome.err;
    return read_run(folder_ / file).records.at(0);
  };
  EXPECT_EQ(verdict(run({"none", "negative", "128", ""})), "ok") << "but for the mistakes it is right";
  for (const auto& one : all) {
    const Record record = run(one);
    EXPECT_EQ(record.status, Status::failed) << one.mistake;
    EXPECT_THAT(record.reason.value_or(""), one.reason) << one.mistake;
  }
}

}  // namespace
}  // namespace uotbench
