// Every variant in CUDA is right where there is no GPU, whatever the shape and the order of threads.
#include <map>
#include <set>

#include "tools/tests/awkward.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

class CudaAwkward : public testing::TestWithParam<std::string> {};

TEST_P(CudaAwkward, VariantsAreRightWhateverTheOrderOfThreads) {
  if (!fs::exists(bin + "/uotbench-worker-simt")) GTEST_SKIP() << "no Boost.Context, or a sanitizer";
  const auto sources =
      fs::recursive_directory_iterator(std::string(UOTBENCH_SOURCE_DIR) + "/kernels/" + GetParam());
  if (std::none_of(begin(sources), end(sources),
                   [](const auto& file) { return file.path().extension() == ".cu"; }))
    GTEST_SKIP() << "no variant in CUDA";
  const Folder folder;
  std::map<std::string, std::set<std::string>> right;  // orders by variant
  for (const auto& record : judged_at_awkward_sizes(folder.path(), GetParam(), "@simt$")) {
    if (record.status == Status::skipped) {
      EXPECT_THAT(record.reason.value_or(""),
                  testing::AnyOf(HasSubstr("dtype must be f32"), HasSubstr("at most 16 bytes")))
          << record.id;
      continue;
    }
    EXPECT_EQ(verdict(record), "ok") << record.id;
    EXPECT_FALSE(record.time) << record.id << ": how long the CPU takes says nothing";
    right[record.variant].insert(record.point.json().at("order").get<std::string>());
  }
  EXPECT_GE(right.size(), 3u);
  for (const auto& [variant, orders] : right) EXPECT_GE(orders.size(), 3u) << variant;
}

INSTANTIATE_TEST_SUITE_P(Of, CudaAwkward, testing::ValuesIn(awkward_families()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace uotbench
