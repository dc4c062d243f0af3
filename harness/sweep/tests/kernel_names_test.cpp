#include "harness/sweep/workers/kernel_names.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "harness/sweep/tests/folder.hpp"

namespace uotbench {
namespace {

TEST(KernelNames, AreThoseOfFilesWithKernels) {
  const Folder folder;
  for (const char* family : {"uot", "match"})
    std::filesystem::create_directories(folder.path() / family / "oracle");
  for (const char* file : {"uot/cuda_gemv.cu", "uot/gemv.cpp", "uot/gemv.hpp", "match/pot.py", "README.md"})
    std::ofstream(folder.path() / file) << "";
  EXPECT_THAT(kernel_names(folder.path()), testing::ElementsAre("match/pot", "uot/cuda_gemv", "uot/gemv"));
  EXPECT_TRUE(kernel_names(folder.path() / "nowhere").empty());
}

TEST(KernelNames, OfTheSourceTreeHoldTheVariants) {
  EXPECT_THAT(kernel_names(std::string(UOTBENCH_SOURCE_DIR) + "/kernels"),
              testing::IsSupersetOf({"uot/map_uot", "ceiling/read"}));
}

}  // namespace
}  // namespace uotbench
