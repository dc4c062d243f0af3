// What is written of ceilings is read again as it was, and what is wrong in a file is named.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/model/ceilings.hpp"
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

}  // namespace
}  // namespace uotbench
