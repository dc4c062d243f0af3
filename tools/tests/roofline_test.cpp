// Rooflines and the column of roofs through the program.
#include <gmock/gmock.h>

#include <fstream>

#include "results/base/json.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class RooflineCommand : public testing::Test {
 protected:
  Outcome roofline(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "roofline");
    return uotbench(folder_.path(), arguments);
  }
  /// One line, and no figure.
  std::string complaint(const std::vector<std::string>& arguments) const {
    const Outcome outcome = roofline(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(fs::exists(folder_ / "f.svg"));
    return outcome.err;
  }
  /// The golden run, as if measured under one ceiling of DRAM for one thread.
  std::string run_under(double bytes_per_second) const {
    std::ifstream in(golden_run);
    std::string line;
    std::getline(in, line);
    Json header = Json::parse(line);
    header["ceilings"] = Json::array(
        {{{"source", "measured"},
          {"name", "made"},
          {"device", "cpu"},
          {"roofs",
           {{{"kernel", "read"}, {"level", "DRAM"}, {"threads", 1}, {"bytes_per_second", bytes_per_second}},
            {{"kernel", "fma"}, {"form", "vector"}, {"threads", 1}, {"flops_per_second", 1e18}}}}}});
    std::string text = header.dump() + '\n';
    while (std::getline(in, line)) {
      if (Json json = Json::parse(line, nullptr, false);
          json.is_object() && json.value("work", Json()).is_object()) {
        json["work"]["working_set"] = 1e9;
        line = json.dump();
      }
      text += line + '\n';
    }
    write_text(folder_ / "run.jsonl", text);
    return (folder_ / "run.jsonl").string();
  }

  Folder folder_;
};

TEST_F(RooflineCommand, DrawsUnderASpecificationByItsName) {
  const Outcome outcome =
      roofline({golden_run, "--machine", "12900k", "-o", "f.svg", "--data", "--title", "<T> & co"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "f.svg\n");
  const std::string svg = text_of(folder_ / "f.svg");
  EXPECT_THAT(svg, HasSubstr("&lt;T> &amp; co"));
  EXPECT_THAT(svg, HasSubstr("Roofs: Intel Core i9-12900K (specified)"));
  EXPECT_THAT(outcome.err, HasSubstr("note: the points were measured on a CPU that the run does not name; "
                                     "the roofs are those of Intel Core i9-12900K\n"));
  EXPECT_THAT(text_of(folder_ / "f.csv"), HasSubstr("7.68e+10"));
}

TEST_F(RooflineCommand, NamesOrdersAndColoursVariants) {
  const Outcome outcome =
      roofline({golden_run, "--machine", "12900k", "-o", "f.svg", "--data", "--label", "uot/map_uot=Ours",
                "--order", "uot/one_read,uot/map_uot", "--colour", "uot/map_uot=#123456"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string data = text_of(folder_ / "f.csv");
  EXPECT_THAT(data, HasSubstr(",point,Ours,uot/map_uot/"));
  EXPECT_LT(data.find("uot/one_read/"), data.find("uot/map_uot/"));
  EXPECT_THAT(text_of(folder_ / "f.svg"), HasSubstr("rgb( 18,  52,  86)"));
  fs::remove(folder_ / "f.svg");
  EXPECT_THAT(complaint({golden_run, "--machine", "12900k", "-o", "f.svg", "--label", "uot/map_out=Ours"}),
              HasSubstr("did you mean uot/map_uot"));
}

// MAP-UOT, Fig. 3: the intensities of what was run, under two machines that nobody has here.
TEST_F(RooflineCommand, RedrawsAPapersFigure) {
  const Outcome outcome = roofline({golden_run, "--filter", "numpy_order", "--machine", "12900k", "--machine",
                                    "3090ti", "--counting", "paper", "-o", "f.svg"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string svg = text_of(folder_ / "f.svg");
  EXPECT_TRUE(svg.find("ridge 10.3") != svg.npos && svg.find("ridge 39.7") != svg.npos);
}

TEST_F(RooflineCommand, SaysInOneLineWhatIsMissing) {
  EXPECT_THAT(complaint({golden_run, "-o", "f.svg"}), HasSubstr("carries no ceilings: uotbench machine"));
  EXPECT_THAT(complaint({golden_run, "--machine", "12900", "-o", "f.svg"}), HasSubstr("did you mean 12900k"));
  EXPECT_THAT(complaint({golden_run, "--machine", "12900k", "--filter", "nothing", "-o", "f.svg"}),
              HasSubstr("nothing"));
  EXPECT_THAT(complaint({golden_run, "--machine", "12900k"}), HasSubstr("--output"));
  EXPECT_THAT(complaint({golden_run, "--machine", "12900k", "--counting", "half", "-o", "f.svg"}),
              HasSubstr("model or paper"));
  EXPECT_THAT(complaint({"-o", "f.svg"}), HasSubstr("RUN is required"));
}

// Bytes over a bandwidth over the median; a case of other threads has no roof.
TEST_F(RooflineCommand, TablesHaveAColumnOfRoofs) {
  const std::string run = run_under(1e15);
  const Json rows = Json::parse(uotbench(folder_.path(), {"show", run, "--json"}).out).at("cases");
  std::size_t roofed = 0;
  for (const auto& row : rows) {
    if (row.at("roof").is_null()) continue;
    ++roofed;
    const double fraction = row["roof"]["fraction"], bandwidth = row["bytes_per_second"];
    EXPECT_NEAR(fraction, bandwidth / 1e15, 1e-9 * fraction) << row;
    EXPECT_EQ(row["roof"]["level"], "DRAM");
  }
  EXPECT_GT(roofed, 0u);
  EXPECT_LT(roofed, rows.size());
  EXPECT_THAT(uotbench(folder_.path(), {"show", run}).out, HasSubstr("  roof"));
  EXPECT_THAT(uotbench(folder_.path(), {"show", golden_run}).out, Not(HasSubstr("  roof")));
  EXPECT_THAT(uotbench(folder_.path(), {"export", run, "--format", "markdown"}).out, HasSubstr("| roof |"));
}

TEST_F(RooflineCommand, MoreThanAHundredPercentIsGivenACause) {
  const std::string table = uotbench(folder_.path(), {"show", run_under(1e3)}).out;
  EXPECT_THAT(table, HasSubstr("above the roof, as "));
}

}  // namespace
}  // namespace uotbench
