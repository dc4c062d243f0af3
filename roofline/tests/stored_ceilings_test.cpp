// What is written of ceilings is read again as it was, and what is wrong in a file is named.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/model/curve.hpp"
#include "roofline/model/model.hpp"
#include "roofline/tests/made.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::Eq;
using testing::HasSubstr;
using testing::StartsWith;

TEST(CeilingsAsJson, AreReadAsTheyWereWritten) {
  Ceilings with_curve = made_ceilings();
  for (const double bytes : {4096., 65536., 1e9}) {
    Roof point = bandwidth_roof("read", "", 2, 1e12 / std::sqrt(bytes));
    point.value = std::round(point.value);
    point.working_set = bytes;
    with_curve.roofs.push_back(point);
  }
  for (const auto& ceilings : {made_ceilings(), specified(1e12, 1e13), with_curve}) {
    const Json json = to_json(ceilings);
    const auto again = ceilings_from(json);
    EXPECT_EQ(to_json(again), json);
    EXPECT_EQ(again.roofs.size(), ceilings.roofs.size());
    EXPECT_EQ(again.roofs.back().value, ceilings.roofs.back().value);
    EXPECT_EQ(again.roofs.back().threads, ceilings.roofs.back().threads);
  }
}

std::string complaint(const std::function<void(Json&)>& spoil) {
  Json json = to_json(specified(1e12, 1e13));
  spoil(json);
  try {
    ceilings_from(json);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CeilingsAsJson, NameWhatIsWrong) {
  EXPECT_EQ(complaint([](Json& json) { json["new"] = 1; }), "");
  EXPECT_EQ(complaint([](Json& json) { json = 3; }), "ceilings have to be an object");
  EXPECT_EQ(complaint([](Json& json) { json["source"] = "rumour"; }),
            "/source: expected measured or specification, got \"rumour\"");
  EXPECT_THAT(complaint([](Json& json) { json.erase("device"); }),
              StartsWith("/device: expected cpu or gpu, got \"\""));
  EXPECT_THAT(complaint([](Json& json) { json["name"] = 1; }), Eq("/name has to be a text"));
  EXPECT_THAT(complaint([](Json& json) { json["roofs"] = Json::array(); }), StartsWith("/roofs has to be"));
  EXPECT_EQ(complaint([](Json& json) { json["roofs"][1].erase("kernel"); }), "/roofs/1/kernel is missing");
  EXPECT_EQ(complaint([](Json& json) { json["roofs"][0].erase("bytes_per_second"); }),
            "/roofs/0 needs one of bytes_per_second, flops_per_second and operations_per_second");
  EXPECT_EQ(complaint([](Json& json) { json["roofs"][0].erase("level"); }),
            "/roofs/0 needs a level: L1, L2, L3 or DRAM");
  EXPECT_EQ(complaint([](Json& json) { json["roofs"][0]["bytes_per_second"] = -1; }),
            "/roofs/0: its rate has to be a number from 1e3 to 1e21");
  EXPECT_EQ(complaint([](Json& json) { json["curves"] = 1; }), "/curves has to be a list of curves");
  EXPECT_EQ(complaint([](Json& json) {
              json["curves"] = {{{"kernel", "read"}}};
            }),
            "/curves/0/points has to be a list of at least one point");
  EXPECT_EQ(complaint([](Json& json) {
              json["curves"] = {{{"kernel", "read"}, {"points", {{1, 2}}}}};
            }),
            "/curves/0/points/0: expected [bytes of the working set, bytes per second, noise or null], got "
            "[1,2]");
  EXPECT_EQ(complaint([](Json& json) { json["roofs"][1]["threads"] = "all"; }),
            "/roofs/1/threads has to be a number that is not negative");
}

class CeilingFiles : public testing::Test {
 protected:
  CeilingFiles() { fs::create_directories(folder); }
  ~CeilingFiles() override { fs::remove_all(folder); }

  fs::path file(const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  }
  static std::string complaint(const fs::path& path) {
    try {
      read_ceilings(path);
    } catch (const UsageError& error) {
      return std::string(error.what()).substr(path.string().size());
    }
    return "";
  }

  const fs::path folder = fs::temp_directory_path() / ("ceilings_" + std::to_string(::getpid()));
};

TEST_F(CeilingFiles, AreSpecificationsOrRuns) {
  EXPECT_EQ(read_ceilings(file("a.json", to_json(made_ceilings()).dump())).name, "made");
  Json header = to_json(
      made_header({{"kind", "run"}, {"started", "2026-01-31T12:00:00Z"}, {"machine", made_machine()}}));
  header["schema"] = run_schema;
  header["plan"] = Json::array();
  EXPECT_THAT(complaint(file("none.jsonl", header.dump() + "\n")), HasSubstr("holds no ceilings"));
  header["ceilings"] = Json::array({to_json(made_ceilings())});
  EXPECT_EQ(read_ceilings(file("some.jsonl", header.dump() + "\n")).name, "made");
}

TEST_F(CeilingFiles, ThatAreWrongAreNamed) {
  EXPECT_THAT(complaint(folder / "nowhere.json"), StartsWith(": cannot be read"));
  EXPECT_EQ(complaint(file("b.json", "{")), ": is no JSON");
  EXPECT_THAT(complaint(file("c.json", "{}")),
              StartsWith(": /source: expected measured or specification, got \"\""));
}

/// Every specification that comes with the program.
TEST(Specifications, AreSound) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(UOTBENCH_SOURCE_DIR) / "configs/machines")) {
    const auto ceilings = read_ceilings(entry.path());
    EXPECT_EQ(ceilings.source, "specification") << entry.path();
    EXPECT_NE(ceilings.name, "") << entry.path();
    EXPECT_NE(ceilings.about, "") << entry.path() << " has to say where its numbers are from";
    EXPECT_TRUE(std::ranges::any_of(ceilings.roofs, &Roof::is_bandwidth)) << entry.path();
    EXPECT_FALSE(std::ranges::all_of(ceilings.roofs, &Roof::is_bandwidth)) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 3u);
}

// What memory gives changes: a case is held against the ceiling that was measured nearest to it in time.

using testing::Contains;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

void start_around(Record& record, double when) {
  auto& processes = record.time->processes;
  for (auto& process : processes) process.start = when;
  processes.front().start = when - 1;
  processes.back().start = when + 1;
}

/// ceiling/read over 128 MiB with two threads.
Record read_at(double when, double bytes_per_second) {
  Record record;
  record.variant = "ceiling/read";
  record.worker = "native-v4";
  record.id = "ceiling/read/N:33554432/threads:2@native-v4";
  record.point = {{"dtype", "f32"}, {"threads", 2}, {"place", "close"}, {"cache", "warm"}};
  record.work = Work{.bytes_read = bytes_per_second, .working_set = 128 * MiB};
  record.time = Timing{};
  record.time->processes = {{.samples = {1, 1, 1}}, {.samples = {1, 1, 1}}};
  start_around(record, when);
  return record;
}

/// Two cases that read 30 GB/s, ten minutes apart, each with a ceiling of 40 and 60 GB/s near it.
uotbench::Run read_twice(const std::vector<Ceilings>& stored = {}) {
  const Work work{.bytes_read = 30e9, .working_set = 128 * MiB};
  auto run = made_run(
      {{.variant = "uot/a", .work = work, .median = 1}, {.variant = "uot/b", .work = work, .median = 1}},
      stored);
  start_around(run.records[0], 1000);
  start_around(run.records[1], 1600);
  run.ceilings_again = {{.record = read_at(1010, 40e9), .needed_by = {run.records[0].id}},
                        {.record = read_at(1590, 60e9), .needed_by = {run.records[1].id}}};
  return run;
}

/// 90 GB/s, measured in some other run.
Ceilings stored_reading() {
  Ceilings made = made_ceilings();
  made.roofs = {{.kernel = "read",
                 .dtype = "f32",
                 .threads = 2,
                 .place = "close",
                 .working_set = 128 * MiB,
                 .value = 90e9}};
  made.fingerprint = "";
  return made;
}

double fraction_in(const RunView& view, std::size_t i) { return view.groups[0].cases[i].roof->fraction; }

TEST(CeilingsInTime, AreThoseNearestToEachCase) {
  const auto run = read_twice();
  const RunView view = view_under_roofs(run);
  EXPECT_NEAR(fraction_in(view, 0), 30. / 40, 1e-9);
  EXPECT_NEAR(fraction_in(view, 1), 30. / 60, 1e-9);
  EXPECT_THAT(view.notes, Contains("a ceiling was measured several times in this run, and each case has the "
                                   "one nearest in time: read at 128.0 MiB (f32, 2 threads), 2 times, "
                                   "40.0 GB/s to 60.0 GB/s"));
  EXPECT_THAT(view.notes, Not(Contains(HasSubstr("that these cases need")))) << "it is said once";
}

TEST(CeilingsInTime, AreThoseOfAnExplanation) {
  const auto run = read_twice();
  const RunView view = view_under_roofs(run);
  const auto all = explain_all(view, [](const uotbench::Run&, const Record&) {
    return InCore{.tool = {}, .reason = "not asked for"};
  });
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_THAT(all[0].together, DoubleNear(30. / 40, 1e-9));
  EXPECT_THAT(all[1].together, DoubleNear(30. / 60, 1e-9));
}

TEST(CeilingsInTime, AreTheHighestWhereTheTimeOfACaseIsNotKnown) {
  auto run = read_twice();
  for (auto& process : run.records[0].time->processes) process.start = 0;
  EXPECT_NEAR(fraction_in(view_under_roofs(run), 0), 30. / 60, 1e-9);
}

TEST(CeilingsInTime, OfOneMeasurementAreThoseOfTheRun) {
  auto run = read_twice();
  run.ceilings_again.pop_back();
  const CeilingsInTime ceilings(run);
  EXPECT_THAT(ceilings.repeated(), SizeIs(0));
  EXPECT_EQ(ceilings.of(run.records[0]), &ceilings.all().front());
  EXPECT_EQ(ceilings.of(run.records[1]), &ceilings.all().front());
  EXPECT_THAT(view_under_roofs(run).notes, Contains(HasSubstr("1 ceiling that these cases need")));
}

TEST(CeilingsInTime, ReplaceAHigherOneOfAnotherRun) {
  auto run = read_twice({stored_reading()});
  EXPECT_NEAR(fraction_in(view_under_roofs(run), 0), 30. / 40, 1e-9);
  run.ceilings_again.pop_back();
  EXPECT_NEAR(fraction_in(view_under_roofs(run), 0), 30. / 40, 1e-9) << "be it measured once";
  run.ceilings_again.clear();
  EXPECT_NEAR(fraction_in(view_under_roofs(run), 0), 30. / 90, 1e-9);
}

TEST(CeilingsInTime, OfACaseThatExceededThemAreWhatWasMeasuredThen) {
  auto run = read_twice();
  run.ceilings_again.push_back(
      {.record = read_at(1700, 80e9), .exceeded_by = {run.records[1].id}, .was = 60e9});
  const RunView view = view_under_roofs(run);
  EXPECT_NEAR(fraction_in(view, 0), 30. / 40, 1e-9) << "it did not exceed its own";
  EXPECT_NEAR(fraction_in(view, 1), 30. / 80, 1e-9);
}

TEST(Curve, TellsWhenWhatIsReadOffWasMeasured) {
  const auto point = [](double set, std::optional<double> when) {
    return Roof{.kernel = "read", .working_set = set, .value = 1e9, .when = when};
  };
  Curve curve;
  curve.add(point(64 * MiB, 100));
  curve.add(point(128 * MiB, 50));
  curve.add(point(256 * MiB, std::nullopt));
  const auto when = [&](double set) { return curve.at(set, 2)->when; };
  EXPECT_EQ(when(64 * MiB), 100);
  EXPECT_EQ(when(66 * MiB), 100) << "as good as the same size";
  EXPECT_EQ(when(90 * MiB), 50) << "the older of two";
  EXPECT_EQ(when(180 * MiB), std::nullopt);
}

}  // namespace

}  // namespace uotbench
