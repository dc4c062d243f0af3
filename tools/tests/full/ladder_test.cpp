// The matching ladder without a GPU: the published counters are reproduced, and docs/results/matching.md's
// numbers are those of a run.
#include <fmt/format.h>

#include <map>

#include "results/record/counters.hpp"
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

}  // namespace
}  // namespace uotbench
