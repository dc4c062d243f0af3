// What is verified of one native worker in every check holds for the others that this machine runs.
#include "harness/sweep/workers/manifest.hpp"
#include "tools/tests/awkward.hpp"

namespace uotbench {
namespace {

/// The native workers that time, but the one of every check.
std::vector<std::string> other_workers() {
  std::vector<std::string> names;
  for (const auto& manifest : read_manifests(std::string(UOTBENCH_SOURCE_DIR) + "/configs/workers", bin))
    if (manifest.name.starts_with("native") && manifest.does(step::time) && manifest.name != native_worker &&
        manifest.obstacle().empty())
      names.push_back(manifest.name);
  return names;
}

constexpr const char* none_here = "this machine runs no other native worker";

class Flavours : public testing::TestWithParam<std::string> {};

TEST_P(Flavours, AreRightAtAwkwardSizes) {
  if (other_workers().empty()) GTEST_SKIP() << none_here;
  for (const auto& worker : other_workers()) {
    const Folder folder;
    expect_all_right(judged_at_awkward_sizes(folder.path(), GetParam(), "@" + worker + "$"), 75, 4);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Flavours, testing::ValuesIn(awkward_families()),
                         [](const auto& info) { return info.param; });

TEST(OtherFlavours, AreRightWhereMassesAreZero) {
  if (other_workers().empty()) GTEST_SKIP() << none_here;
  for (const auto& worker : other_workers()) expect_right_where_masses_are_zero(worker);
}

}  // namespace
}  // namespace uotbench
