// Kernels with several threads do not race: the trace follows each at its family's sizes, which no number of
// threads divides.
#include "tools/tests/awkward.hpp"

namespace uotbench {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

// Less than a thread has a row of, and what changes values but no access.
const std::string hardly_another_case =
    "/(M|N|nx|ny):[1-5][/@]|/dtype:f64|/fi:1[/@]|/reg_type:kl|/mass_b:3|/reg_m:5|/cost_scale:|/M:450/|"
    "/application:";

class Threaded : public testing::TestWithParam<std::string> {};

TEST_P(Threaded, VariantsDoNotRace) {
  if (!fs::exists(bin + "/uotbench-worker-native-trace"))
    GTEST_SKIP() << "no worker native-trace in this build";  // another compiler, or a sanitizer
  const Folder folder;
  const auto records = judged_at_awkward_sizes(
      folder.path(), GetParam(), "/threads:2(/.*)?@" + native_worker + "$",
      {"--rounds", "0", "--counters", "races", "--exclude", hardly_another_case}, 560);
  std::set<std::string> threaded, examined;
  for (const auto& record : records) {
    if (record.reason.value_or("").find(" is serial: ") != std::string::npos) continue;
    threaded.insert(record.variant);
    if (record.status == Status::skipped) continue;  // it is for other problems
    examined.insert(record.variant);
    EXPECT_EQ(verdict(record), "ok") << record.id;
    const auto* const entry = record.counters.find("Threads.races");
    ASSERT_TRUE(entry && entry->counter) << record.id;
    const Counter& races = *entry->counter;
    EXPECT_EQ(races.value.value_or(0), 0) << record.id << ": " << races.note;
    if (races.value) continue;  // else as docs/reference/robustness.md says
    EXPECT_THAT(races.reason, AnyOf(StartsWith("trace: a trace does not see the accesses of "),
                                    HasSubstr(": a thread that no parallel region of OpenMP ")))
        << record.id;
  }
  EXPECT_FALSE(examined.empty());
  EXPECT_EQ(examined, threaded) << "a variant has no problem of its own among these";
}

INSTANTIATE_TEST_SUITE_P(Of, Threaded, testing::ValuesIn(awkward_families()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace uotbench
