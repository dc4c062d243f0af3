// What people write in a file of figures means what they meant, or is refused with its place in the file.
#include "roofline/figures/figure_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/base/error.hpp"
#include "results/base/json.hpp"

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

}  // namespace
}  // namespace uotbench
