// Arms must differ in their code alone: not in the bytes that are above a process's stack, nor in its files.
#include "harness/sweep/gate/arms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace uotbench {
namespace {

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
    std::vector<std::string> notes;
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
  std::vector<std::string> notes;
  const Manifest script = commanded({"python3", "/etc/hostname"});
  const auto copies = staged.copies({script}, notes);
  EXPECT_EQ(copies[0].command, script.command);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "worker worker: python3 /etc/hostname is launched again as the control, not copied");
}

}  // namespace
}  // namespace uotbench
