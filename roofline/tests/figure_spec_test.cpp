// What people write in a file of figures means what they meant, or is refused with its place in the file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/draw/gnuplot.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/tests/made.hpp"
#include "roofline/tests/made_rounds.hpp"
#include "roofline/tests/read_figure.hpp"

namespace uotbench {
namespace {

TEST(FigureSpec, HoldsAllThatTheFileSays) {
  const auto jobs = figures_from(Json::parse(R"({"figures": [
        {"file": "a.pdf", "kind": "tiles", "runs": ["tiling"]},
        {"file": "b.svg", "kind": "speedup", "runs": ["x", "y.jsonl"], "filter": "uot/", "order": ["uot/b", "uot/a"],
         "labels": {"uot/a": "Ours"}, "colours": {"uot/a": "#d55e00"}, "title": "T", "width": "180mm",
         "height": "2in", "x": "Ny", "y": "Tx", "over": "uot/b,threads=1", "value": "bandwidth",
         "counting": "paper", "level": "DRAM", "machine": ["m.json"], "keep": true, "data": true}]})"),
                                 "figs.json", "paper");
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].file, "paper/a.pdf");
  EXPECT_EQ(jobs[0].spec.width, 8.8);
  EXPECT_FALSE(jobs[0].spec.height);
  EXPECT_TRUE(jobs[0].spec.over.is_null());
  const auto& job = jobs[1];
  EXPECT_EQ(job.pointer, "figs.json: /figures/1");
  EXPECT_THAT(job.runs, testing::ElementsAre("x", "y.jsonl"));
  EXPECT_THAT(job.machines, testing::ElementsAre("m.json"));
  EXPECT_THAT(job.spec.order, testing::ElementsAre("uot/b", "uot/a"));
  EXPECT_EQ(job.spec.labels.at("uot/a"), "Ours");
  EXPECT_EQ(job.spec.colours.at("uot/a"), "#d55e00");
  EXPECT_EQ(job.spec.title, "T");
  EXPECT_DOUBLE_EQ(job.spec.width, 18);
  EXPECT_DOUBLE_EQ(*job.spec.height, 5.08);
  EXPECT_EQ(job.spec.over.json(), (Json{{"variant", "uot/b"}, {"threads", 1}}));
  EXPECT_EQ(job.spec.counting, Counting::paper);
  EXPECT_EQ(job.spec.level, "DRAM");
  EXPECT_TRUE(job.options.keep && job.options.data);
}

std::string complaint(const char* figures) {
  try {
    figures_from(Json::parse(figures), "figs.json", "");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(FigureSpec, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(complaint(R"({"figures": [{"file": "a.pdf", "kind": "tiles", "runs": ["t"]},
                                      {"file": "./a.pdf", "kind": "sizes", "runs": ["t"]}]})"),
            "figs.json: /figures/1: ./a.pdf is another figure's file, too");
  EXPECT_EQ(complaint(R"({"figures": [{"file": "a.pdf", "kind": "tiles", "runs": ["t"], "width": "1cm"}]})"),
            "figs.json: /figures/0: \"1cm\" is not a length such as 8.8cm, 88mm, 3.5in or 252pt, from 2cm to "
            "120cm");
}

TEST(ParseLength, TakesWhatPapersMeasureIn) {
  EXPECT_DOUBLE_EQ(parse_length("8.8cm"), 8.8);
  EXPECT_DOUBLE_EQ(parse_length("88mm"), 8.8);
  EXPECT_DOUBLE_EQ(parse_length("3.5in"), 8.89);
  EXPECT_NEAR(parse_length("252pt"), 8.857, 1e-3);
  for (const char* wrong : {"8", "cm", "", "8.8 cm", "-3cm", "nancm", "1e9cm", "8.8cmx"})
    EXPECT_THROW(parse_length(wrong), UsageError) << wrong;
}

TEST(ParseOver, IsAReferenceAsSweepsHaveIt) {
  EXPECT_EQ(parse_over("uot/a").json(), (Json{{"variant", "uot/a"}}));
  EXPECT_EQ(parse_over("uot/a,threads=1,worker=native-v3,reg=0.5").json(),
            (Json{{"variant", "uot/a"}, {"threads", 1}, {"worker", "native-v3"}, {"reg", 0.5}}));
  EXPECT_EQ(parse_over("threads=1").json(), (Json{{"threads", 1}}));
  EXPECT_EQ(parse_over("uot/a@native-v4,threads=1").json(),
            (Json{{"variant", "uot/a"}, {"threads", 1}, {"worker", "native-v4"}}));
  for (const char* wrong :
       {"", ",", "a,b", "@w", "a@", "a@w,worker=w", "threads=", "=1", "threads=1,threads=2"})
    EXPECT_THROW(parse_over(wrong), UsageError) << wrong;
}

// What is written below a figure: everything a reader needs to judge it, and nothing that LaTeX would run.

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Run doubtful_run() {
  auto cases = made_variants(3);
  cases.push_back(cases[0]);
  cases.back().threads = 1;
  uotbench::Run run = made_run(cases, {made_ceilings()});
  Json machine = run.header.machine.json();
  machine["hashed"].update({{"cpu", "A_CPU 100% {x}"}, {"family", 6}, {"model", 207}, {"hypervisor", "KVM"}});
  run.header.machine = machine;
  edited(run.header)["started"] = "2026-11-26T21:26:42Z";
  run.records[1].time->warnings = {"round 1: had its CPU only 13% of the time"};
  return run;
}

TEST(Caption, OfARooflineSaysWhereWhenHowAndWhatIsMissing) {
  const Drawing drawing = drawing_of_run(doubtful_run(), {.kind = "roofline", .filter = ""});
  EXPECT_THAT(
      drawing.caption,
      AllOf(HasSubstr("Flop rate over operational intensity (flops per byte, both of the work model, not "
                      "counted)"),
            HasSubstr("percentages are of the limit for a case's own kind of traffic"),
            HasSubstr("Vertical lines: fastest to slowest process."),
            HasSubstr("Measured on A_CPU 100% {x} (family 6, model 207), 2 CPUs, a virtual machine (KVM), "
                      "2026-11-26."),
            HasSubstr("The times of 1 of 4 cases are doubtful."),
            HasSubstr("left out: 1 case of f32, 1 thread."), Not(HasSubstr("--")),
            Not(HasSubstr("uotbench show"))));
  EXPECT_THAT(drawing.warnings,
              testing::ElementsAre("the times of 1 of 4 cases are doubtful: see uotbench show made.jsonl"));
}

TEST(Caption, IsWrittenForLatexBesideTheFigure) {
  std::string folder = (fs::temp_directory_path() / "uotbench-caption-XXXXXX").string();
  ASSERT_TRUE(::mkdtemp(folder.data()));
  draw(drawing_of_run(doubtful_run(), {.kind = "roofline", .filter = ""}), fs::path(folder) / "f.svg",
       {.caption = true});
  std::ifstream file(fs::path(folder) / "f.tex");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, AllOf(testing::StartsWith("\\caption{"), HasSubstr("A\\_CPU 100\\% \\{x\\}"),
                          testing::EndsWith("}\n")));
  fs::remove_all(folder);
}

// A ring or a "?" over a bar has no place there.
TEST(Doubts, AreMarkedAfterTheNumbersOfTilesAndLadders) {
  for (const char* kind : {"tiles", "ladder"}) {
    FigureSpec spec{.kind = kind, .filter = ""};
    if (spec.kind == "tiles") spec.x = "rows", spec.y = "block";
    uotbench::Run run = run_of_units();
    EXPECT_THAT(drawing_of_run(run, spec).commands, Not(HasSubstr("?'"))) << kind;
    for (auto& record : run.records)
      if (record.time) record.time->warnings = {"round 1: had its CPU only 13% of the time"};
    EXPECT_THAT(drawing_of_run(run, spec).commands, HasSubstr("?'")) << kind;
  }
}

TEST(Caption, OfEveryKindNamesTheMachineAndItsDoubts) {
  uotbench::Run run = run_of_units();
  edited(run.header)["started"] = "2026-11-26T21:26:42Z";
  run.records[0].time->warnings = {"round 1: had its CPU only 13% of the time"};
  for (const auto& kind : figure_kinds()) {
    if (kind == "ranks") continue;  // other cases
    FigureSpec spec{.kind = kind, .filter = kind == "misses" ? "N:4096" : kind == "ecm" ? "numpy_order" : ""};
    if (kind == "tiles") spec.x = "rows", spec.y = "block";
    const Drawing drawing = drawing_of_run(run, spec);
    EXPECT_THAT(drawing.caption, HasSubstr("2 CPUs, 2026-11-26.")) << kind;
    EXPECT_EQ(drawing.caption.find("are doubtful") != std::string::npos, kind != "misses") << kind;
    EXPECT_EQ(drawing.warnings.size(), kind == "misses" ? 0u : 1u) << kind;
    const bool intervals =
        kind == "roofline" || kind == "speedup" || kind == "scaling" || kind == "sizes" || kind == "solves";
    EXPECT_EQ(drawing.caption.find("Vertical lines: ") != std::string::npos, intervals) << kind;
  }
}

// Caches are promised only where they are marked.
TEST(Caption, OfSizesNamesCachesWhereTheyAreMarked) {
  const uotbench::Run run = run_of_units();
  const FigureSpec all{.kind = "sizes", .filter = "stop:iterations"};
  EXPECT_THAT(drawing_of_run(run, all).caption, HasSubstr("dotted: the capacities of the caches"));
  uotbench::Run without = run;
  edited(without.header)["machine"]["hashed"]["caches"] = Json::array();
  EXPECT_THAT(drawing_of_run(without, all).caption, Not(HasSubstr("caches")));
}

}  // namespace
}  // namespace uotbench
