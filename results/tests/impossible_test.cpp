// No record is ok that is faster than any core.
#include "results/record/axes/impossible.hpp"

#include <gmock/gmock.h>

#include "results/base/json.hpp"
#include "results/record/run_file/run_line.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Record timed(const Work& work, double seconds, Json point = {{"threads", 1}}) {
  Record record;
  record.id = "uot/mine/M:1024/N:1024@mine";
  record.variant = "uot/mine";
  record.worker = "mine";
  record.point = std::move(point);
  record.work = work;
  record.time = Timing{};
  record.time->processes.push_back({.start = 0, .samples = {seconds, seconds, 1}});
  return record;
}

constexpr double megabytes = 4e6;

TEST(Impossible, IsWhatNoCoreCanLoadStoreOrCompute) {
  EXPECT_EQ(why_impossible(timed({.bytes_read = megabytes}, 3.221e-9)),
            "impossible: 3.221 ns per iteration would read 1241.85 TB/s; 1 core cannot exceed 793.6 GB/s");
  EXPECT_EQ(why_impossible(timed({.bytes_written = 500}, 1e-9)),
            "impossible: 1.000 ns per iteration would write 500.0 GB/s; 1 core cannot exceed 396.8 GB/s");
  EXPECT_THAT(why_impossible(timed({.flops = 1e6}, 1e-6)), HasSubstr("would compute 1.00 TFLOP/s"));
}

TEST(Impossible, IsNothingThatTheCoresOfTheCaseCanDo) {
  EXPECT_EQ(why_impossible(timed({.flops = 100, .bytes_read = 700, .bytes_written = 300}, 1e-9)), "");
  EXPECT_EQ(why_impossible(timed({.bytes_read = 3000}, 1e-9, {{"threads", 4}})), "");
  EXPECT_EQ(why_impossible(timed({.bytes_read = 3000}, 1e-9, {{"ranks", 2}, {"threads", 2}})), "");
  EXPECT_THAT(why_impossible(timed({.bytes_read = 4000}, 1e-9, {{"threads", 4}})), HasSubstr("4 cores"));
}

TEST(Impossible, IsWhatNoGpuCanDo) {
  Record record = timed({.bytes_read = 600e6}, 1e-6);  // 600 TB/s
  EXPECT_NE(why_impossible(record), "");
  record.point.set("device", "gpu");
  EXPECT_THAT(why_impossible(record), HasSubstr("would read 600.00 TB/s; a GPU cannot exceed 498.07 TB/s"));
  record.work->bytes_read = 400e6;
  EXPECT_EQ(why_impossible(record), "");
  record.work->flops = 9e9;
  EXPECT_THAT(why_impossible(record), HasSubstr("a GPU cannot exceed"));
  record = timed({.bytes_read = 400e6}, 1e-6);
  record.time->clock = "cuda-event";
  EXPECT_EQ(why_impossible(record), "");
}

TEST(Impossible, IsNotSaidOfWhatSaysTooLittle) {
  Record record = timed({.bytes_read = 1e12}, 1e-9);
  EXPECT_NE(why_impossible(record), "");
  record.work.reset();
  EXPECT_EQ(why_impossible(record), "");
  record = timed({.bytes_read = 1e12}, 1e-9);
  record.time.reset();
  EXPECT_EQ(why_impossible(record), "");
}

// Whoever wrote it: compare, claims, gate and figures read it as a failure.
TEST(Impossible, IsReadAsFailed) {
  const auto read = [](const Record& record) {
    Json json = to_json(record);
    json["kind"] = "case";
    return *parse_run_line(json.dump()).record;
  };
  const Record refused = read(timed({.bytes_read = megabytes}, 3e-9));
  EXPECT_EQ(refused.status, Status::failed);
  EXPECT_THAT(*refused.reason, StartsWith("impossible: "));
  EXPECT_EQ(read(timed({.bytes_read = megabytes}, 3e-4)).status, Status::ok);
}

}  // namespace
}  // namespace uotbench
