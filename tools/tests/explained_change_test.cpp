// The part of a time that changed most, where the code was counted by block: as compare prints it, and as a
// gate and a bisection find it.
#include "tools/uotbench/gating/explained_change.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "harness/host/process/program.hpp"
#include "results/record/run_file/run_file.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::MatchesRegex;

/// A machine of 1 GHz, whose memory is no limit.
Json gigahertz_header() {
  const char* const fingerprint = "0123456789abcdef";
  const Json ceilings{{"source", "measured"},
                      {"name", "made"},
                      {"device", "cpu"},
                      {"fingerprint", fingerprint},
                      {"roofs",
                       {{{"kernel", "read"}, {"level", "DRAM"}, {"bytes_per_second", 1e9}},
                        {{"kernel", "cycle"}, {"operation", "cycle"}, {"operations_per_second", 1e9}}}}};
  return {{"kind", "run"},
          {"schema", 1},
          {"machine",
           {{"fingerprint", fingerprint},
            {"hashed", {{"vendor", "AuthenticAMD"}, {"family", 25}, {"model", 1}}}}},
          {"ceilings", Json::array({ceilings})},
          {"plan", Json::array({"uot/made/M:1@w"})}};
}

/// A million passes through a loop that jumps to its own start.
Json looping_record(const std::string& loop, int instructions, double seconds) {
  const Json process{{"start", 0.}, {"first_sample", nullptr}, {"arm", nullptr}, {"samples", {seconds}}};
  const std::string at = fmt::format("worker+0x10, {} instructions: {}", instructions, loop);
  const Json counter{{"value", instructions * 1e6},
                     {"source", "step"},
                     {"unit", "instructions"},
                     {"kind", "exact"},
                     {"lines", Json::array({{{"at", at}, {"value", instructions * 1e6}}})}};
  return {{"kind", "case"},
          {"id", "uot/made/M:1@w"},
          {"variant", "uot/made"},
          {"worker", "w"},
          {"point", {{"M", 1}, {"dtype", "f32"}, {"threads", 1}}},
          {"status", "ok"},
          {"time",
           {{"per", "iteration"},
            {"clock", "steady"},
            {"inner", 1},
            {"stopped_by", "noise"},
            {"processes", Json::array({process})},
            {"warnings", Json::array()}}},
          {"work", {{"flops", 1e6}, {"bytes_read", 64.}, {"bytes_written", 0.}, {"write_allocate", 0.}}},
          {"counters", {{"instructions.by_block", counter}}}};
}

/// `dec %ecx; jne`, and with `imul %eax, %eax` before it, which waits three cycles for the one before.
const std::string decrement = "ffc975fc", multiply = "0fafc0ffc975f9";

class ExplainedChange : public testing::Test {
 protected:
  void SetUp() override {
    if (program_in_path("llvm-mca-19").empty()) GTEST_SKIP() << "llvm-19 is not installed";
    const std::string begin = gigahertz_header().dump() + '\n';
    std::string nop;
    for (int i = 0; i < 13; ++i) nop += "90";
    write_text(folder / "a.jsonl", begin + looping_record(decrement + nop, 2, 1.05e-3).dump() + '\n');
    write_text(folder / "b.jsonl", begin + looping_record(multiply + nop, 3, 3.1e-3).dump() + '\n');
  }
  Folder folder;
  const char* const part = "core: 1\\.[0-9]+ ms -> 3\\.[0-9]+ ms .*llvm-mca.*";
};

TEST_F(ExplainedChange, IsInTheJsonOfACompare) {
  const Outcome outcome = uotbench(folder.path(), {"compare", "a.jsonl", "b.jsonl", "--explain", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json explained = Json::parse(outcome.out).at("explained");
  ASSERT_EQ(explained.size(), 1u);
  EXPECT_THAT(explained[0].at("part").get<std::string>(), MatchesRegex(part));
  EXPECT_EQ(explained[0].at("b"), 3.1e-3);
  EXPECT_FALSE(Json::parse(uotbench(folder.path(), {"compare", "a.jsonl", "b.jsonl", "--json"}).out)
                   .contains("explained"));
}

TEST_F(ExplainedChange, OfAGateIsUnderTheStoredCeilings) {
  const fs::path machines = folder / "uotbench/machines";
  fs::create_directories(machines);
  write_text(machines / "0123456789abcdef.jsonl", gigahertz_header().dump() + '\n');
  ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  const uotbench::Run a = read_run(folder / "a.jsonl"), b = read_run(folder / "b.jsonl");
  RunHeader without = a.header;
  without.ceilings = {};
  EXPECT_THAT(explained_change(without, &a.records.at(0), &b.records.at(0)), MatchesRegex(part));
}

}  // namespace
}  // namespace uotbench
