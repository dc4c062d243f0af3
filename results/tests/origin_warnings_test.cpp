// What a run's first line says that makes its numbers doubtful.
#include "results/record/run_file/origin_warnings.hpp"

#include <gmock/gmock.h>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RunHeader with_quota(const Json& quota) { return {.machine = Json{{"recorded", {{"cpu_quota", quota}}}}}; }

TEST(OriginWarnings, NameACpuQuotaOnce) {
  EXPECT_THAT(origin_warnings(with_quota(0.25)), ElementsAre("CPU quota 0.25: times are of bursts"));
  EXPECT_THAT(origin_warnings(with_quota(nullptr)), IsEmpty());
  EXPECT_THAT(origin_warnings(RunHeader()), IsEmpty());
}

}  // namespace
}  // namespace uotbench
