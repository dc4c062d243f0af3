// Kernels with several threads do not race: the trace follows each at its family's sizes, which no number of
// threads divides.
#include "tools/tests/awkward.hpp"

namespace uotbench {
namespace {

using testing::AnyOf;
using testing::StartsWith;

class Threaded : public testing::TestWithParam<std::string> {};

TEST_P(Threaded, VariantsDoNotRace) {
  if (!fs::exists(bin + "/uotbench-worker-native-trace"))
    GTEST_SKIP() << "no worker native-trace in this build";  // another compiler, or a sanitizer
  const Folder folder;
  // With another exponent of the scalings (fi) a kernel accesses the same.
  const auto records =
      judged_at_awkward_sizes(folder.path(), GetParam(), "/threads:2(/.*)?@" + native_worker + "$",
                              {"--rounds", "0", "--counters", "races", "--exclude", "/fi:1/"}, 560);
  std::set<std::string> followed;
  for (const auto& record : records) {
    if (record.status == Status::skipped) continue;  // it is for other problems
    EXPECT_EQ(verdict(record), "ok") << record.id;
    const auto* const entry = record.counters.find("Threads.races");
    ASSERT_TRUE(entry && entry->counter) << record.id;
    const Counter& races = *entry->counter;
    if (races.value)
      followed.insert(record.variant);
    else
      EXPECT_THAT(races.reason, AnyOf(StartsWith("a trace does not see the accesses of "),
                                      StartsWith("a thread that no parallel region of OpenMP ")))
          << record.id;
    EXPECT_EQ(races.value.value_or(0), 0) << record.id << ": " << races.note;
  }
  EXPECT_FALSE(followed.empty());
}

INSTANTIATE_TEST_SUITE_P(Of, Threaded, testing::ValuesIn(awkward_families()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace uotbench
