// What is written below a figure: everything a reader needs to judge it, and nothing that LaTeX would run.
#include "roofline/figures/caption.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "results/tests/made_record.hpp"
#include "roofline/draw/gnuplot.hpp"
#include "roofline/tests/drawn.hpp"
#include "roofline/tests/made_run.hpp"
#include "roofline/tests/made_units.hpp"

namespace uotbench {
namespace {

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
