#include <gmock/gmock.h>

#include <filesystem>

#include "harness/protocol/tests/refusal.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_of(const std::vector<KernelFile>& files) {
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.sources + " " + file.variant);
  return names;
}

TEST(KernelFiles, AreCalledAsTheirVariants) {
  const Folder folder;
  for (const char* below :
       {"match", "uot/oracle", "uot/shared", "uot/timed", "uot/parts", "uot/tests", "uot/kind/deeper"})
    std::filesystem::create_directories(folder.path() / below);
  for (const char* file :
       {"uot/cuda_gemv.cu", "uot/gemv.cpp", "uot/gemv.hpp", "uot/problem.py", "uot/oracle/judge.cpp",
        "uot/shared/pot.py", "uot/timed/sums.cpp", "uot/parts/old.py", "uot/tests/gemv.cpp",
        "uot/kind/far.cpp", "uot/kind/deeper/no.cpp", "match/pot.py", "README.md"})
    folder.write(file, "");
  EXPECT_THAT(names_of(kernel_files(folder.path())),
              ElementsAre("py match/pot", "cu uot/cuda_gemv", "cpp uot/far", "cpp uot/gemv"));
  EXPECT_TRUE(kernel_files(folder.path() / "nowhere").empty());
}

TEST(KernelFiles, OfTheSourceTreeHoldTheVariants) {
  EXPECT_THAT(names_of(kernel_files(std::string(UOTBENCH_SOURCE_DIR) + "/kernels")),
              testing::IsSupersetOf(
                  {"cpp uot/map_uot", "cpp uot/mpi_map_uot", "cpp ceiling/read", "py uot/jax_gemv"}));
}

TEST(KernelFiles, AreForWorkersOfTheirEndingOrForThoseThatTheyName) {
  const Folder folder;
  std::filesystem::create_directory(folder.path() / "uot");
  folder.write("uot/plain.cu", "// Why.\n#include <x>\n");
  folder.write("uot/gpu.cu", "// Why.\n// workers: cuda\n#include <x>\n");
  folder.write("uot/ranks.cpp", "// workers: mpi native*\n");
  folder.write("uot/script.py", "# workers: other\n");
  const auto files = kernel_files(folder.path());
  ASSERT_EQ(files.size(), 4u);
  const auto &gpu = files[0], &plain = files[1], &ranks = files[2], &script = files[3];
  EXPECT_TRUE(plain.is_for("simt", "cu"));
  EXPECT_FALSE(plain.is_for("native-v3", "cpp"));
  EXPECT_TRUE(gpu.is_for("cuda", "cu"));
  EXPECT_FALSE(gpu.is_for("simt", "cu"));
  EXPECT_TRUE(ranks.is_for("mpi", ""));
  EXPECT_TRUE(ranks.is_for("native-v3", "cpp"));
  EXPECT_FALSE(ranks.is_for("other", "cpp"));
  EXPECT_FALSE(script.is_for("python", "py"));
}

TEST(KernelFiles, AreReadFromTheListOfAnInstallation) {
  const Folder folder;
  folder.write("variants.json", R"([{"variant": "uot/x", "sources": "cu", "workers": ["cuda"]}])");
  const auto files = read_kernel_files(folder.path() / "variants.json");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].variant, "uot/x");
  EXPECT_EQ(files[0].sources, "cu");
  EXPECT_THAT(files[0].workers, ElementsAre("cuda"));
  EXPECT_TRUE(read_kernel_files(folder.path() / "nowhere.json").empty());
  folder.write("variants.json", R"(["uot/x"])");
  EXPECT_THAT(complaint([&] { read_kernel_files(folder.path() / "variants.json"); }),
              HasSubstr("variants.json: no list of variants"));
}

}  // namespace
}  // namespace uotbench
