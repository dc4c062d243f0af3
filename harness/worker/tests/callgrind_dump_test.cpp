#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/worker/counters/callgrind_source.hpp"
#include "results/base/error.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CallgrindDumpTest : public testing::Test {
 protected:
  CallgrindDump read(const std::string& text) {
    std::ofstream(folder_ / "out.1") << text;
    return read_callgrind_dump(folder_ / "out.1");
  }
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  const Folder own_;
  const fs::path folder_ = own_.path();
};

TEST_F(CallgrindDumpTest, HasTotalsByEventAndCachesByName) {
  const CallgrindDump dump = read(
      "# callgrind format\ndesc: D1 cache: 32768 B, 64 B, 8-way associative\n"
      "desc: Trigger: Client Request\nevents: Ir Dr Dw\nsummary: 9 9 9\nfn=(0) main\n3 10 4\n\ntotals: 10 "
      "4\n");
  EXPECT_EQ(dump.totals.at("Ir"), 10);
  EXPECT_EQ(dump.totals.at("Dr"), 4);
  EXPECT_EQ(dump.totals.at("Dw"), 0);  // zeros at the end are left out
  EXPECT_EQ(dump.caches.at("D1"), "32768 B, 64 B, 8-way associative");
  EXPECT_EQ(dump.caches.size(), 1u);
}

TEST_F(CallgrindDumpTest, CutShortOrMissingIsAnErrorNotZero) {
  EXPECT_THAT(refusal("events: Ir Dr\n3 10 4\n"), HasSubstr("cut short: no line \"totals:\""));
  EXPECT_THAT(refusal(""), HasSubstr("cut short: no line \"events:\""));
  EXPECT_THROW(read_callgrind_dump(folder_ / "nowhere"), Error);
}

TEST(CallgrindSource, IsThereOnlyUnderValgrind) { EXPECT_EQ(callgrind_source(), nullptr); }

}  // namespace
}  // namespace uotbench
