// OpenBLAS runs its best kernels for this CPU, or the record says that it does not.
#include "kernels/uot/shared/openblas_core.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/host/process/blas_cores.hpp"
#include "kernels/common/loaded_library.hpp"

namespace uotbench::uot {
namespace {

TEST(OpenBlasCore, IsReplacedWhereItsVectorsAreNarrowerThanTheCpus) {
  EXPECT_EQ(better_core("Prescott", 512), "SkylakeX");
  EXPECT_EQ(better_core("Prescott", 256), "Haswell");
  EXPECT_EQ(better_core("Zen", 512), "SkylakeX");
  EXPECT_EQ(better_core("Zen", 256), "");
  EXPECT_EQ(better_core("SkylakeX", 512), "");
  EXPECT_EQ(better_core("Prescott", 128), "");
  EXPECT_EQ(better_core("Prescott", 0), "") << "another kind of CPU";
  EXPECT_EQ(better_core("Tomorrow", 512), "") << "a core that is not known may be the best one";
}

TEST(OpenBlasCore, ThatFallsShortIsAHandicap) {
  EXPECT_EQ(core_handicap("Prescott", 256, ""),
            "OpenBLAS runs Prescott kernels (128-bit vectors) on a CPU with 256-bit vectors");
  EXPECT_EQ(core_handicap("haswell", 512, "haswell"),
            "OpenBLAS runs haswell kernels (256-bit vectors) on a CPU with 512-bit vectors, as "
            "OPENBLAS_CORETYPE=haswell "
            "is set");
  EXPECT_EQ(core_handicap("Haswell", 256, ""), "");
  EXPECT_EQ(core_handicap("Tomorrow", 512, ""), "");
}

/// The choice is made once in a process: both cases are of one test.
TEST(OpenBlasCore, IsChosenBeforeTheLibraryIsUsed) {
  if (vector_bits_of_cpu() < 256) GTEST_SKIP() << "no AVX2 here: Prescott is as good";
  ASSERT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr) << "unset it for this test";
  const CoreChoice& choice = choose_openblas_core(FALLBACK_BLAS);
  EXPECT_EQ(choice.replaced, "Prescott");
  EXPECT_EQ(choice.forced, "");
  const LoadedLibrary library(FALLBACK_BLAS, "OpenBLAS");
  const std::string core = library.find<const char* (*)()>("openblas_get_corename")();
  EXPECT_EQ(core, vector_bits_of_cpu() == 512 ? "SkylakeX" : "Haswell");
  EXPECT_EQ(core_handicap(core, vector_bits_of_cpu(), choice.forced), "");
  EXPECT_EQ(std::getenv("OPENBLAS_NUM_THREADS"), nullptr);
  ::unsetenv("OPENBLAS_CORETYPE");
}

TEST(OpenBlasCore, FunctionsAreFoundBehindAPrefix) {
  const LoadedLibrary library(FALLBACK_BLAS, "OpenBLAS");
  EXPECT_STREQ(find_in_openblas<const char* (*)()>(library, "openblas_get_config")(), "prefixed");
  EXPECT_THROW(find_in_openblas<void (*)()>(library, "cblas_sgemv"), Error);
}

}  // namespace
}  // namespace uotbench::uot
