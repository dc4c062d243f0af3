// A profiler that reads NVTX sees what a worker is doing: the case, and within it one stage after another.
#include "harness/worker/phases.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;

struct Range {
  std::string domain = {}, category = {}, message = {}, payload = {};
  int depth = 0;
};

std::string native() {
  return fs::exists(std::string(UOTBENCH_BIN_DIR) + "/uotbench-worker-native-v3") ? "native-v3" : "native";
}

class PhasesTest : public testing::Test {
 protected:
  PhasesTest() : log_(fs::temp_directory_path() / ("phases-test-" + std::to_string(::getpid()))) {
    ::setenv("NVTX_INJECTION64_PATH", UOTBENCH_NVTX_RECORDER, 1);
    ::setenv("UOTBENCH_NVTX_LOG", log_.c_str(), 1);
  }
  ~PhasesTest() override {
    ::unsetenv("NVTX_INJECTION64_PATH");
    ::unsetenv("UOTBENCH_NVTX_LOG");
    std::error_code none;
    fs::remove(log_, none);
  }

  /// The ranges of COMMAND, in the order in which they begin.
  std::vector<Range> ranges_of(const std::string& command) const {
    const int code = std::system((std::string(UOTBENCH_BIN_DIR) + "/" + command + " >/dev/null").c_str());
    EXPECT_EQ(WEXITSTATUS(code), 0) << command;
    std::ifstream in(log_);
    std::vector<Range> ranges;
    int depth = 0;
    for (std::string line; std::getline(in, line);) {
      std::istringstream fields(line);
      std::string kind;
      std::getline(fields, kind, '|');
      if (kind == "pop") {
        --depth;
        continue;
      }
      Range range{.depth = depth++};
      for (std::string* field : {&range.domain, &range.category, &range.message, &range.payload})
        std::getline(fields, *field, '|');
      ranges.push_back(range);
    }
    EXPECT_EQ(depth, 0) << "every range ends";
    return ranges;
  }
  static std::vector<std::string> messages(const std::vector<Range>& ranges) {
    std::vector<std::string> all;  // samples once
    for (const Range& range : ranges)
      if (all.empty() || all.back() != range.message) all.push_back(range.message);
    return all;
  }

  fs::path log_;
};

TEST_F(PhasesTest, OfACaseByHandAreItsStagesInOrder) {
  const std::string id = "uot/map_uot/M:64/N:64@" + native();
  const auto ranges = ranges_of("uotbench-worker-" + native() + " --case '" + id + "' --seconds 0.05");
  EXPECT_THAT(messages(ranges), ElementsAre(id, "verify", id, "verify", id, "prepare", "warm-up", "sample"));
  EXPECT_THAT(ranges, Each(testing::Field(&Range::domain, "uotbench")));
  EXPECT_THAT(ranges, Each(testing::Field(&Range::category, "uot")));
  int next_sample = 0;
  for (const Range& range : ranges) {
    EXPECT_EQ(range.depth, range.message == id ? 0 : 1) << range.message;
    EXPECT_EQ(range.payload, range.message == "sample" ? std::to_string(next_sample++) : "none")
        << range.message;
  }
  EXPECT_GT(next_sample, 1);
}

TEST_F(PhasesTest, OfOneIterationAreTwo) {
  const std::string id = "uot/map_uot/M:64/N:64@" + native();
  const auto ranges = ranges_of("uotbench-worker-" + native() + " --case '" + id + "' --once");
  EXPECT_THAT(messages(ranges), ElementsAre(id, "prepare", "sample"));
  EXPECT_EQ(ranges.back().payload, "0");
}

// Counting is a pass of its own.
TEST_F(PhasesTest, OfARunAreThereToo) {
  const std::string id = "uot/map_uot/M:64/N:64@" + native();
  const fs::path run = log_.string() + ".jsonl";
  const auto ranges = ranges_of("uotbench run uot/map_uot -a M,N=64,64 --worker " + native() +
                                " --counters os --rounds 1 --max-time 50ms --quiet --output " + run.string());
  fs::remove(run);
  EXPECT_THAT(messages(ranges), testing::IsSupersetOf({id, std::string("verify"), std::string("warm-up"),
                                                       std::string("count")}));
  EXPECT_THAT(ranges, Contains(testing::AllOf(testing::Field(&Range::message, "sample"),
                                              testing::Field(&Range::depth, 1),
                                              testing::Field(&Range::category, "uot"))));
}

}  // namespace
}  // namespace uotbench
