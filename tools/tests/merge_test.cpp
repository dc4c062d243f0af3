// The shards of a run, merged from the command line by the sweep's name.
#include <gmock/gmock.h>

#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

TEST(MergeCommand, JoinsTheShardsOfASweep) {
  const std::string golden = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/";
  const std::string text = text_of(golden + "workers.jsonl");
  const auto end = text.find('\n');
  Json header = Json::parse(text.substr(0, end));
  header["sweep"] = {{"name", "tiling"}};
  Folder folder;
  fs::create_directories(folder / "results/runs");
  const auto& plan = header.at("plan");
  Json order = Json::array();
  for (std::size_t i = 0; i < plan.size(); ++i) order.push_back(i);
  header["shard"] = {{"index", 1}, {"of", 2}, {"order", order}};
  write_text(folder / "results/runs/tiling.1of2-20260101T000000.000Z.jsonl",
             to_line(header) + text.substr(end));
  const Outcome outcome = uotbench(folder.path(), {"merge", "tiling", "-o", "all.jsonl"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("warning: shard 2 of 2 is missing\n"));
  EXPECT_EQ(outcome.out, "1 file merged\nrun file: all.jsonl\nnext:     uotbench show all.jsonl\n");
  EXPECT_THAT(uotbench(folder.path(), {"show", "all.jsonl"}).out,
              HasSubstr("warning: shard 2 of 2 is missing\n"));
  const std::string before = text_of(folder / "all.jsonl");
  const Outcome again = uotbench(folder.path(), {"merge", "tiling", "-o", "all.jsonl"});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.err, "uotbench: all.jsonl: holds something already; --force replaces it\n");
  EXPECT_EQ(text_of(folder / "all.jsonl"), before);
  EXPECT_EQ(uotbench(folder.path(), {"merge", "tiling"}).code, 0);
  EXPECT_EQ(uotbench(folder.path(), {"show", "tiling"}).code, 0) << "the merged run is the sweep's newest";
}

}  // namespace
}  // namespace uotbench
