// Figures through the program: all that a file describes, or none; what is wrong is said in one line, with
// its place, before anything is written.
#include <gmock/gmock.h>

#include <fstream>

#include "results/base/json.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class FigureCommand : public testing::Test {
 protected:
  Outcome figure(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "figure");
    return uotbench(folder_.path(), arguments);
  }
  /// Of a spec whose figures are these; nothing was drawn.
  std::string complaint(const std::string& figures, const std::vector<std::string>& more = {}) const {
    fs::create_directory(folder_ / "paper");
    fs::copy_file(golden_run, folder_ / "paper/small.jsonl", fs::copy_options::skip_existing);
    write_text(folder_ / "paper/figs.json", "{\"figures\": [" + figures + "]}");
    std::vector<std::string> arguments{"--spec", "paper/figs.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = figure(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    for (const auto& entry : fs::directory_iterator(folder_ / "paper"))
      EXPECT_THAT(entry.path().extension(), testing::AnyOf(".json", ".jsonl")) << entry.path();
    return outcome.err;
  }

  Folder folder_;
};

TEST_F(FigureCommand, DrawsByFlags) {
  const Outcome outcome =
      figure({"speedup", golden_run, "-o", "a.svg", "--label", "uot/map_uot=Ours & <theirs>", "--colour",
              "uot/map_uot=#d55e00", "--order", "uot/one_read,uot/map_uot", "--over",
              "uot/numpy_order,threads=1", "--width", "120mm", "--height", "6cm", "--keep", "--data"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "a.svg\n");
  EXPECT_THAT(text_of(folder_ / "a.svg"), HasSubstr("Ours &amp; &lt;theirs>"));
  EXPECT_THAT(text_of(folder_ / "a.csv"), StartsWith("id,reference,seconds,reference_seconds,speedup"));
  EXPECT_THAT(text_of(folder_ / "a.gp"), HasSubstr("#d55e00"));
}

TEST_F(FigureCommand, DrawsAllOfAFileBesideIt) {
  fs::create_directory(folder_ / "paper");
  fs::copy_file(golden_run, folder_ / "paper/small.jsonl");
  write_text(folder_ / "paper/figs.json", R"({"figures": [
    {"file": "fig9.svg", "kind": "speedup", "runs": ["small.jsonl"], "labels": {"uot/map_uot": "Ours"}},
    {"file": "sub/fig10.svg", "kind": "scaling", "runs": ["small.jsonl"], "over": {"variant": "uot/numpy_order"}}]})");
  Outcome outcome = figure({"--spec", "paper/figs.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "paper/fig9.svg\npaper/sub/fig10.svg\n");
  EXPECT_THAT(text_of(folder_ / "paper/fig9.svg"), HasSubstr("Ours"));
  EXPECT_THAT(text_of(folder_ / "paper/sub/fig10.svg"), HasSubstr("speedup over numpy_order, 1 thread"));
  fs::remove(folder_ / "paper/fig9.svg");
  outcome = figure({"--spec", "paper/figs.json", "--only", "fig10", "--mcpu", "znver4"});
  EXPECT_EQ(outcome.out, "paper/sub/fig10.svg\n") << outcome.err;
  EXPECT_FALSE(fs::exists(folder_ / "paper/fig9.svg"));
}

TEST_F(FigureCommand, NamesThePlaceInTheFile) {
  const std::string good = R"({"file": "a.svg", "kind": "speedup", "runs": ["small.jsonl"]})";
  EXPECT_THAT(complaint(R"({"file": "a.jpg", "kind": "speedup", "runs": ["small.jsonl"]})"),
              HasSubstr("figs.json: /figures/0/file: expected a file that ends in .pdf, .svg or .png "
                        "(relative to this one), got \"a.jpg\""));
  EXPECT_THAT(complaint(R"({"file": "a.svg", "kind": "speedup"})"),
              HasSubstr("figs.json: /figures/0: the key \"runs\" is missing; expected a list of runs such as "
                        "[\"single_thread\"] or [\"runs/a.jsonl\", \"runs/b.jsonl\"]"));
  EXPECT_THAT(complaint(R"({"file": "a.svg", "kind": "speedup", "runs": ["small.jsonl"], "colors": {}})"),
              HasSubstr("figs.json: /figures/0: unknown key \"colors\" (did you mean colours?)"));
  EXPECT_THAT(complaint(R"({"file": "a.svg", "kind": "speedup", "runs": ["small.jsonl"], "width": 8.8})"),
              HasSubstr("figs.json: /figures/0/width: expected a length such as \"8.8cm\", \"88mm\", "
                        "\"3.5in\" or \"252pt\", got 8.8"));
  EXPECT_THAT(
      complaint(R"({"file": "a.svg", "kind": "speedup", "runs": ["x"], "colours": {"uot/a": "red"}})"),
      HasSubstr("figs.json: /figures/0/colours/uot~1a: expected a colour such as \"#d55e00\", got \"red\""));
  // What only the runs tell; the first figure is not drawn for it.
  EXPECT_THAT(
      complaint(good + R"(, {"file": "b.svg", "kind": "speedups", "runs": ["small.jsonl"]})"),
      HasSubstr("figs.json: /figures/1: no kind of figure is called \"speedups\" (did you mean speedup?)"));
  EXPECT_THAT(complaint(good + R"(, {"file": "b.svg", "kind": "tiles", "runs": ["small.jsonl"]})"),
              HasSubstr("figs.json: /figures/1: tiles needs two axes that vary in one variant; "));
  EXPECT_THAT(
      complaint(good + R"(, {"file": "b.svg", "kind": "sizes", "runs": ["small.jsonl"],
                                     "labels": {"uot/map_out": "Ours"}})"),
      HasSubstr("figs.json: /figures/1: labels: no case of \"uot/map_out\" (did you mean uot/map_uot?)"));
  EXPECT_THAT(complaint(good + R"(, {"file": "b.svg", "kind": "sizes", "runs": ["none.jsonl"]})"),
              HasSubstr("figs.json: /figures/1: "));
  EXPECT_THAT(complaint(good, {"--only", "b"}), HasSubstr("--only b: figs.json describes no such figure"));
  EXPECT_THAT(complaint(good, {"--width", "8cm"}), HasSubstr("figure: --width with --spec"));
}

TEST_F(FigureCommand, SaysWhatIsWrongWithTheFlags) {
  const auto said = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = figure(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(said({}), HasSubstr("figure: give KIND and RUN, or --spec FILE; kinds: roofline, "));
  EXPECT_THAT(said({"tile", golden_run, "-o", "a.svg"}),
              HasSubstr("no kind of figure is called \"tile\" (did you mean tiles?)"));
  EXPECT_THAT(said({"misses", golden_run, "-o", "a.svg"}), HasSubstr("misses: no counters in "));
  EXPECT_THAT(said({"sizes", golden_run}), HasSubstr("--output is required"));
  EXPECT_THAT(said({"sizes", golden_run, "-o", "a.svg", "--filter", "nothing"}),
              HasSubstr("no case's id matches"));
  EXPECT_THAT(said({"sizes", golden_run, "-o", "a.svg", "--label", "Ours"}),
              HasSubstr("--label: expected VARIANT=LABEL, such as uot/one_read=Ours, got \"Ours\""));
  EXPECT_THAT(said({"sizes", golden_run, "-o", "a.svg", "--colour", "uot/a=red"}),
              HasSubstr("--colour uot/a: expected #rrggbb, such as #d55e00, got \"red\""));
  EXPECT_THAT(said({"speedup", golden_run, "-o", "a.svg", "--over", "uot/nump_order"}),
              HasSubstr("over: no case of \"uot/nump_order\" (did you mean uot/numpy_order?)"));
  EXPECT_THAT(said({"--only", "a"}), HasSubstr("give --spec"));
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

// The schema and the examples are read by people and by the program alike.
TEST_F(FigureCommand, AcceptsItsOwnExamples) {
  std::size_t examples = 0;
  for (const auto& entry : fs::directory_iterator(std::string(UOTBENCH_SOURCE_DIR) + "/configs/figures")) {
    const Outcome outcome = figure({"--spec", entry.path(), "--only", "?"});
    EXPECT_THAT(outcome.err,
                HasSubstr("--only ?: " + entry.path().filename().string() + " describes no such figure"));
    ++examples;
  }
  EXPECT_GE(examples, 1u);
}

TEST_F(FigureCommand, RefusesTwoFiguresWithOneTable) {
  EXPECT_THAT(complaint(R"({"file": "a.svg", "kind": "speedup", "runs": ["small.jsonl"], "data": true},
                          {"file": "a.pdf", "kind": "scaling", "runs": ["small.jsonl"], "data": true})"),
              HasSubstr("/figures/1: data, script or caption of a.pdf would be another figure's, too"));
}

// What stands beside a figure is written first: refused, it leaves no figure.
TEST_F(FigureCommand, IsNotDrawnWhereItsTableCannotBe) {
  fs::copy_file(golden_run, folder_ / "a.csv");
  const Outcome outcome = figure({"speedup", golden_run, "-o", "a.svg", "--data"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("a.csv: holds a run"));
  EXPECT_FALSE(fs::exists(folder_ / "a.svg"));
}

TEST_F(FigureCommand, ExamplesOfConfigsAreSound) {
  for (const auto& entry : fs::directory_iterator(std::string(UOTBENCH_SOURCE_DIR) + "/configs/figures")) {
    const Outcome outcome = figure({"--spec", entry.path().string()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("no run")) << "only the runs are missing here";
  }
}

/// Whether a run is one of claims, such as claims-map_uot-misses; then they have such a sweep.
bool is_of_claims(const std::string& run) {
  if (!run.starts_with("claims-")) return false;
  const auto begin = run.find('-') + 1, end = run.rfind('-');
  const std::string file = "/configs/claims/" + run.substr(begin, end - begin) + ".json";
  const Json claims = Json::parse(text_of(UOTBENCH_SOURCE_DIR + file));
  EXPECT_TRUE(claims.at("sweeps").contains(run.substr(end + 1))) << run;
  return true;
}

/// What a figure of configs chooses from a sweep is planned there.
TEST_F(FigureCommand, ExamplesOfConfigsFindTheirCases) {
  std::size_t filters = 0;
  for (const auto& entry : fs::directory_iterator(std::string(UOTBENCH_SOURCE_DIR) + "/configs/figures")) {
    const Json spec = Json::parse(text_of(entry.path()));
    for (const Json& figure : spec.at("figures")) {
      for (const std::string run : figure.at("runs")) {
        if (is_of_claims(run) || !figure.contains("filter")) continue;
        const Outcome plan = uotbench(folder_.path(), {"run", "--sweep", run + ".json", "--filter",
                                                       figure.at("filter").get<std::string>(), "--dry-run"});
        EXPECT_EQ(plan.code, 0) << entry.path() << " " << figure.at("file") << ": " << plan.err;
        ++filters;
      }
    }
  }
  EXPECT_GE(filters, 8u);
}

// Rooflines and the column of roofs through the program.

using testing::EndsWith;
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
      if (Json json = parse_shallow(line).value_or(nullptr);
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
