// What was measured in parts reads like one run, in the plan's order, and nothing that does not belong
// together is put together.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <functional>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/whole_file.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/tests/folder.hpp"
#include "results/view/view.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Merge : public testing::Test {
 protected:
  static Json header(const std::vector<std::string>& plan, int index, int of, const std::vector<int>& order) {
    Json header{{"kind", "run"},
                {"schema", 1},
                {"started", "2026-01-31T12:00:00Z"},
                {"sweep", {{"name", "s"}}},
                {"options", {{"rounds", 3}, {"cpus", {0, 1}}}},
                {"machine", {{"fingerprint", "f1"}, {"hashed", {{"cpu", "one"}}}}},
                {"workers", {{"w", {{"hash", "w1"}}}, {"oracle", {{"hash", "o1"}}}}},
                {"problem_axes", {{"uot", {"M"}}}},
                {"plan", plan}};
    header["command"] = fmt::format("uotbench run --shard {}/{}", index, of);
    if (of > 0) header["shard"] = {{"index", index}, {"of", of}, {"order", order}};
    return header;
  }
  static std::string line(const std::string& id, const std::string& status = "ok") {
    return R"({"kind":"case","id":")" + id +
           R"(","variant":"uot/x","worker":"w","point":{"M":1},"status":")" + status +
           R"(","later":{"kept":1}})";
  }
  fs::path write(const std::string& name, const Json& header, const std::vector<std::string>& lines) const {
    std::string text = to_line(header) + '\n';
    for (const auto& line : lines) text += line + '\n';
    text += R"({"kind":"end","finished":"2026-01-31T13:00:00Z","elapsed":2.0,"status":"complete"})"
            "\n";
    write_whole(folder_ / name, text, true);
    return folder_ / name;
  }
  uotbench::Run read(const Merged& merged) const {
    write_whole(folder_ / "merged.jsonl", merged.text, true);
    return read_run(folder_ / "merged.jsonl");
  }
  /// Without the folder's name.
  std::string refusal(const std::vector<fs::path>& files) const {
    try {
      merge_runs(files);
    } catch (const UsageError& error) {
      return own_.without_its_name(error.what());
    }
    return "not refused";
  }
  fs::path first() const { return write("1", header({"a", "c"}, 1, 2, {0, 2}), {line("c"), line("a")}); }
  fs::path second(const std::function<void(Json&)>& change = {}) const {
    Json json = header({"b"}, 2, 2, {1});
    if (change) change(json);
    return write("2", json, {line("b")});
  }

  const Folder own_;
  const fs::path folder_ = own_.path();
};

TEST_F(Merge, PutsShardsIntoThePlansOrder) {
  const Merged merged = merge_runs({second(), first()});
  EXPECT_THAT(merged.warnings, IsEmpty());
  EXPECT_EQ(merged.sweep, "s");
  const uotbench::Run run = read(merged);
  EXPECT_EQ(to_json(run.header).at("plan"), Json({"a", "b", "c"}));
  EXPECT_FALSE(to_json(run.header).contains("shard"));
  EXPECT_FALSE(to_json(run.header).contains("command")) << "one part's goes on with that part alone";
  EXPECT_FALSE(to_json(run.header).contains("machines"));
  EXPECT_EQ(to_json(run.header).at("merged").size(), 2u);
  EXPECT_EQ(to_json(run.header).at("merged")[0].at("file"), "2");
  EXPECT_EQ(run.records.size(), 3u);
  EXPECT_THAT(run.unfinished, IsEmpty());
  EXPECT_EQ(run.end->elapsed(), 4.0);
  EXPECT_THAT(merged.text, HasSubstr(line("b") + "\n")) << "also what this program does not know";
  EXPECT_THAT(view_of(run).warnings, Not(Contains(HasSubstr("shard"))));
}

TEST_F(Merge, SaysWhichShardsAreMissing) {
  const auto one = write("1", header({"a"}, 1, 3, {0}), {line("a")});
  const Merged merged = merge_runs({one});
  EXPECT_THAT(merged.warnings, ElementsAre("shards 2, 3 of 3 are missing"));
  const uotbench::Run run = read(merged);
  EXPECT_THAT(view_of(run).warnings, Contains("shards 2, 3 of 3 are missing"));
}

TEST_F(Merge, KeepsMachinesAndBuildsApart) {
  const auto other = second([](Json& json) {
    json["machine"] = {{"fingerprint", "f2"}, {"hashed", {{"cpu", "two"}}}};
    json["options"]["cpus"] = {4, 5};
    json["workers"]["w"]["hash"] = "w2";
  });
  const Merged merged = merge_runs({first(), other});
  EXPECT_THAT(merged.warnings, ElementsAre("records of 2 machines: times compare only within one",
                                           "worker w: records of several builds of it"));
  const uotbench::Run run = read(merged);
  EXPECT_EQ(to_json(run.header).at("machines").at("f2").at("hashed").at("cpu"), "two");
  EXPECT_EQ(run.records.at(0).machine, "f1");
  EXPECT_EQ(run.records.at(1).machine, "f2");
  EXPECT_THAT(view_of(run).warnings, Contains("records of 2 machines: times compare only within one"));
}

TEST_F(Merge, RefusesWhatDoesNotBelongTogether) {
  const auto with = [&](const std::function<void(Json&)>& change) {
    return refusal({first(), second(change)});
  };
  EXPECT_EQ(with([](Json& json) { json["sweep"]["name"] = "t"; }),
            "1 and 2 cannot be merged: they are runs of different sweeps");
  EXPECT_EQ(with([](Json& json) { json["sweep"]["about"] = "t"; }),
            "1 and 2 cannot be merged: their sweeps have the same name, but differ");
  EXPECT_EQ(with([](Json& json) { json["options"]["rounds"] = 4; }),
            "1 and 2 cannot be merged: measured with other options (rounds is 3 and 4)");
  EXPECT_EQ(with([](Json& json) { json["workers"]["oracle"]["hash"] = "o2"; }),
            "1 and 2 cannot be merged: verified by different oracles");
  EXPECT_EQ(with([](Json& json) { json["shard"]["of"] = 3; }),
            "1 and 2 cannot be merged: one of 2 shards, and one of 3");
  EXPECT_EQ(with([](Json& json) { json["shard"]["index"] = 1; }),
            "1 and 2 cannot be merged: both are shard 1 of 2");
  EXPECT_EQ(with([](Json& json) { json.erase("shard"); }),
            "1 and 2 cannot be merged: one is a shard and the other is not");
  EXPECT_EQ(with([](Json& json) {
              json["shard"]["order"] = {1, 2};
            }),
            "2: not a sound shard: 1 cases in its plan, 2 in its order");
  EXPECT_THAT(with([](Json& json) { json["shard"] = 7; }),
              HasSubstr("2: line 1: /shard: expected an object, got 7"));
}

// A shard tells of the variants that it ran.
TEST_F(Merge, JoinsTheRolesOfAxes) {
  Json one = header({"a"}, 1, 2, {0}), two = header({"b"}, 2, 2, {1});
  one["axis_roles"] = {{"uot", {{"M", "size"}, {"rows", "tunable"}}}};
  two["axis_roles"] = {{"uot", {{"M", "size"}, {"ranks", "setting"}}}};
  const auto run = read(merge_runs({write("1", one, {line("a")}), write("2", two, {line("b")})}));
  EXPECT_EQ(to_json(run.header)["axis_roles"],
            (Json{{"uot", {{"M", "size"}, {"rows", "tunable"}, {"ranks", "setting"}}}}));
}

TEST_F(Merge, TakesRunsOfDisjointCases) {
  const auto one = write("1", header({"a", "b"}, 0, 0, {}), {line("a"), line("b", "interrupted")});
  const auto two = write("2", header({"b"}, 0, 0, {}), {line("b")});
  const uotbench::Run run = read(merge_runs({one, two}));
  EXPECT_EQ(to_json(run.header).at("plan"), Json({"a", "b"}));
  EXPECT_EQ(run.records.at(1).status, Status::ok) << "the final one counts";
  EXPECT_EQ(read(merge_runs({two, one})).records.at(0).status, Status::ok) << "whatever the order";
  EXPECT_EQ(refusal({one, write("3", header({"a"}, 0, 0, {}), {line("a", "failed")})}),
            "1 and 3 cannot be merged: both hold a");
}

TEST_F(Merge, FindsTheNewestOfEveryShard) {
  for (const char* name : {"s.1of2-20260101T000000.000Z.jsonl", "s.1of2-20260102T000000.000Z.jsonl",
                           "s.2of2-20260101T000000.000Z.jsonl", "s.1of3-20250101T000000.000Z.jsonl",
                           "s-20260103T000000.000Z.jsonl", "s.x.1of2-20260104T000000.000Z.jsonl"})
    write_whole(folder_ / name, "");
  EXPECT_THAT(shards_of("s", folder_), ElementsAre(folder_ / "s.1of2-20260102T000000.000Z.jsonl",
                                                   folder_ / "s.2of2-20260101T000000.000Z.jsonl"));
  EXPECT_THROW(shards_of("t", folder_), UsageError);
}

TEST_F(Merge, FilesAreWholeOrAsTheyWere) {
  write_whole(folder_ / "new/place", "a");
  write_whole(folder_ / "new/place", "b");
  std::ifstream in(folder_ / "new/place");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "b");
  EXPECT_THROW(write_whole(folder_ / "new", "b"), UsageError);
  EXPECT_THROW(write_whole("/dev/null", "b"), UsageError);
  EXPECT_THROW(write_whole("/proc/nothing", "b"), UsageError);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "new"), {}), 1) << "no draft is left";
}

TEST_F(Merge, RefusesInputFilesThatDiffer) {
  const auto with_file = [&](const std::string& name, const std::string& id, int content) {
    std::string text = line(id);
    text.insert(text.size() - 1, fmt::format(R"(,"input_files":{{"p/K.npy":"{}"}})", content));
    return write(name, header({id}, 0, 0, {}), {text});
  };
  EXPECT_EQ(refusal({with_file("1", "a", 1), with_file("2", "b", 2)}),
            "1 and 2 cannot be merged: the input p/K.npy differs (1 and 2)");
  EXPECT_EQ(merge_runs({with_file("1", "a", 1), with_file("2", "b", 1)}).warnings.size(), 0u);
}

}  // namespace
}  // namespace uotbench
