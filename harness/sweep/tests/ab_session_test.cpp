// The order of a session's processes must favour no arm, whatever drifts.
#include "harness/sweep/gate/ab_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "harness/sweep/gate/arms.hpp"

namespace uotbench {
namespace {

TEST(AbOrder, HasEveryPairOnceInEachArm) {
  std::mt19937_64 random(1);
  const auto order = ab_order({{0, 24, false}, {1, 5, true}}, random);
  std::map<std::size_t, std::set<std::pair<int, std::size_t>>> seen;
  for (const auto& turn : order) EXPECT_TRUE(seen[turn.which].insert({turn.arm, turn.pair}).second);
  EXPECT_EQ(seen[0].size(), 48u);
  EXPECT_EQ(seen[1].size(), 15u);
}

// ABBA or BAAB: a linear drift adds the same to both arms.
TEST(AbOrder, BlocksReadTheSameBackwards) {
  std::mt19937_64 random(2);
  for (const bool control : {false, true}) {
    const std::size_t size = control ? 6 : 4;
    const auto order = ab_order({{0, 8, control}, {1, 8, control}}, random);
    for (std::size_t block = 0; block < order.size(); block += size)
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_EQ(order[block + i].arm, order[block + size - 1 - i].arm);
        EXPECT_EQ(order[block + i].which, order[block].which);
        EXPECT_EQ(order[block + i].pair / 2, order[block].pair / 2);
      }
  }
}

TEST(AbOrder, EachArmIsFirstAboutHalfOfTheTime) {
  std::mt19937_64 random(3);
  const auto order = ab_order({{0, 2000, false}}, random);
  int first = 0;
  for (std::size_t block = 0; block < order.size(); block += 4) first += order[block].arm == 0;
  EXPECT_GT(first, 430);
  EXPECT_LT(first, 570);
}

TEST(AbOrder, BlocksOfCasesAreMixed) {
  std::mt19937_64 random(4);
  const auto order = ab_order({{0, 24, false}, {1, 24, false}}, random);
  int changes = 0;
  for (std::size_t i = 1; i < order.size(); ++i) changes += order[i].which != order[i - 1].which;
  EXPECT_GT(changes, 4);
}

TEST(AbOrder, ComesAgainForTheSameSeed) {
  std::mt19937_64 one(5), same(5), other(6);
  const std::vector<AbRequest> wanted{{0, 24, false}, {1, 24, true}};
  const auto order = ab_order(wanted, one);
  EXPECT_EQ(order, ab_order(wanted, same));
  EXPECT_NE(order, ab_order(wanted, other));
}

// A gate promises to end in time; where that leaves too few pairs it must say so before it begins.

// Two processes of every case a pair, and three of the longest for its confirmation.
TEST(GateBudget, CountsAScreenOfAllAndAConfirmationOfTheLongest) {
  const std::vector<double> processes{0.2, 0.5};
  EXPECT_DOUBLE_EQ(seconds_needed(24, processes), 24 * (2 * 0.7 + 3 * 0.5));
}

TEST(GateBudget, TakesFewerPairsWhereTimeIsShort) {
  const std::vector<double> processes{0.2, 0.5};
  EXPECT_EQ(affordable_look(1000, 24, 10, processes), 24u);
  const auto look = affordable_look(seconds_needed(15, processes), 24, 10, processes);
  ASSERT_TRUE(look);
  EXPECT_EQ(*look, 14u);  // whole blocks of two pairs
  EXPECT_EQ(affordable_look(seconds_needed(10, processes) - 1e-6, 24, 10, processes), std::nullopt);
  EXPECT_EQ(affordable_look(-5, 24, 10, processes), std::nullopt);
}

// A confirmation that does not fit whole is made with what fits: dropped, a slowdown would pass.
TEST(GateBudget, ShortensALookToWhatFits) {
  const std::vector<AbRequest> whole{{0, 24, true}, {1, 24, true}};
  auto requests = whole;
  EXPECT_TRUE(shorten(requests, 100, 100, 10));
  EXPECT_EQ(requests[0].pairs, 24u);
  EXPECT_TRUE(shorten(requests, 65, 100, 10));
  EXPECT_EQ(requests[0].pairs, 14u);  // 15.6, in whole blocks
  EXPECT_EQ(requests[1].pairs, 14u);
  requests = whole;
  for (const double left : {40., 0., -5.}) {
    EXPECT_FALSE(shorten(requests, left, 100, 10)) << left;
    EXPECT_EQ(requests[1].pairs, 24u);
  }
}

// Arms must differ in their code alone: not in the bytes that are above a process's stack, nor in its files.

namespace fs = std::filesystem;

Manifest commanded(std::vector<std::string> command) {
  return {.name = "worker",
          .about = {},
          .command = std::move(command),
          .environment = {},
          .isa = {},
          .given = true};
}

TEST(Arms, ArePaddedToTheSameLength) {
  Arm a{"baseline", "A", {commanded({"/bin/true"})}},
      b{"candidate", "B", {commanded({"/usr/bin/env", "--long", "x"})}};
  EXPECT_NE(stack_bytes(a.manifests[0]), stack_bytes(b.manifests[0]));
  make_equally_long({&a, &b});
  EXPECT_EQ(stack_bytes(a.manifests[0]), stack_bytes(b.manifests[0]));
  for (const auto* arm : {&a, &b})
    EXPECT_THAT(arm->manifests[0].environment, testing::Contains(testing::StartsWith("UOTBENCH_PADDING=")));
}

TEST(Arms, AControlIsACopyOfTheProgramAndTheFilesBesideIt) {
  std::string folder = (fs::temp_directory_path() / "arms-XXXXXX").string();
  ASSERT_TRUE(::mkdtemp(folder.data()));
  fs::copy_file("/proc/self/exe", fs::path(folder) / "w");
  std::ofstream(fs::path(folder) / "w.kernels.json") << "{}";
  std::ofstream(fs::path(folder) / "other") << "";
  fs::path copy;
  {
    const StagedPrograms staged;
    std::map<std::string, std::string> notes;
    const auto copies = staged.copies({commanded({folder + "/w"})}, notes);
    EXPECT_TRUE(notes.empty());
    copy = copies[0].command[0];
    EXPECT_NE(copy, fs::path(folder) / "w");
    EXPECT_EQ(fs::file_size(copy), fs::file_size(fs::path(folder) / "w"));
    EXPECT_TRUE(fs::exists(copy.parent_path() / "w.kernels.json"));
    EXPECT_FALSE(fs::exists(copy.parent_path() / "other"));
  }
  EXPECT_FALSE(fs::exists(copy));
  fs::remove_all(folder);
}

TEST(Arms, AScriptIsLaunchedAgainAndThatIsSaid) {
  const StagedPrograms staged;
  std::map<std::string, std::string> notes;
  const Manifest script = commanded({"python3", "/etc/hostname"});
  const auto copies = staged.copies({script}, notes);
  EXPECT_EQ(copies[0].command, script.command);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes["worker"],
            "worker worker: python3 /etc/hostname is launched again as the control, not copied");
}

}  // namespace
}  // namespace uotbench
