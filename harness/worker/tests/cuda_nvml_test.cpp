// What the driver's library tells of a GPU ends up in records; what it does not tell is absent.
#include "harness/worker/gpu/cuda_nvml.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* address = "0000:01:00.0";

class NvmlTest : public testing::Test {
 protected:
  ~NvmlTest() override {
    for (const char* name : {"ECC", "LIMITS", "OTHERS", "BYTES", "INIT"}) ::unsetenv(full(name).c_str());
  }
  void tell(const char* name, const std::string& value) { ::setenv(full(name).c_str(), value.c_str(), 1); }
  std::unique_ptr<Nvml> nvml = Nvml::of(address, UOTBENCH_SOFTWARE_NVML);

 private:
  static std::string full(const std::string& name) { return "SOFTWARE_NVML_" + name; }
};

TEST_F(NvmlTest, TellsClocksHeatAndPowerInTheirUnits) {
  ASSERT_NE(nvml, nullptr);
  const GpuState state = nvml->state();
  EXPECT_EQ(state.sm_mhz, 1755u);
  EXPECT_EQ(state.memory_mhz, 2619u);
  EXPECT_EQ(state.temperature, 41u);
  EXPECT_EQ(state.watts, 123.5);
  EXPECT_EQ(state.limits, 0u);
  EXPECT_EQ(state.memory_errors, 0u);
  EXPECT_EQ(state.others, 0u);  // this process is none of them
  EXPECT_THAT(spoilers(state, state), IsEmpty());
  EXPECT_EQ(nvml->facts(),
            Json({{"most_sm_mhz", 1980}, {"most_memory_mhz", 2619}, {"ecc", true}, {"driver", "570.86.15"}}));
}

TEST_F(NvmlTest, LimitsOfEitherLookSpoilATimeAndAnIdleClockDoesNot) {
  tell("LIMITS", "1");
  const GpuState idle = nvml->state();
  EXPECT_THAT(spoilers(idle, idle), IsEmpty());
  tell("LIMITS", "68");  // 0x44
  const GpuState limited = nvml->state();
  const auto expected =
      ElementsAre("clocks were held down by the power cap", "clocks were held down by the heat (hardware)");
  EXPECT_THAT(spoilers(idle, limited), expected);
  EXPECT_THAT(spoilers(limited, idle), expected);
}

TEST_F(NvmlTest, OtherProcessesSpoilATime) {
  const GpuState alone = nvml->state();
  tell("OTHERS", "1");
  const GpuState one = nvml->state();
  tell("OTHERS", "3");
  EXPECT_THAT(spoilers(alone, one), ElementsAre("1 other process computed on the GPU"));
  EXPECT_THAT(spoilers(nvml->state(), alone), ElementsAre("3 other processes computed on the GPU"));
}

TEST_F(NvmlTest, MemoryIsThatOfThisProcess) {
  tell("OTHERS", "2");
  EXPECT_EQ(nvml->state().own_bytes, std::nullopt) << "the library says that it does not know";
  tell("BYTES", "323000000");
  EXPECT_EQ(nvml->state().own_bytes, 323000000u);
}

TEST_F(NvmlTest, MoreProcessesThanCanBeListedAreNotNone) {
  tell("OTHERS", "1000");
  EXPECT_EQ(nvml->state().others, std::nullopt);
}

TEST_F(NvmlTest, OnlyErrorsOfMemoryThatCameInBetweenSpoilATime) {
  tell("ECC", "5");
  const GpuState before = nvml->state();
  EXPECT_EQ(before.memory_errors, 5u);
  EXPECT_THAT(spoilers(before, nvml->state()), IsEmpty());
  tell("ECC", "7");
  EXPECT_THAT(spoilers(before, nvml->state()), ElementsAre("2 uncorrected errors of the GPU's memory"));
}

TEST_F(NvmlTest, AnOlderLibraryTellsLess) {
  tell("LIMITS", "4");
  const auto old = Nvml::of(address, UOTBENCH_SOFTWARE_NVML_OLD);
  ASSERT_NE(old, nullptr);
  const GpuState state = old->state();
  EXPECT_EQ(state.sm_mhz, 1755u);
  EXPECT_EQ(state.limits, 4u);  // by the name that it had
  EXPECT_EQ(to_json(state), Json({{"sm_mhz", 1755},
                                  {"memory_mhz", 2619},
                                  {"clock_limits", 4},
                                  {"temperature", 41},
                                  {"watts", nullptr},
                                  {"memory_errors", nullptr},
                                  {"other_processes", nullptr}}));
  EXPECT_EQ(old->facts(),
            Json({{"most_sm_mhz", 1980}, {"most_memory_mhz", 2619}, {"ecc", nullptr}, {"driver", nullptr}}));
  // What one of two looks lacks is not taken for 0.
  tell("ECC", "3");
  EXPECT_THAT(spoilers(state, nvml->state()), ElementsAre("clocks were held down by the power cap"));
}

TEST_F(NvmlTest, IsNotThereWithoutLibraryOrGpu) {
  EXPECT_EQ(Nvml::of(address, "libno-such-nvml.so.1"), nullptr);
  EXPECT_EQ(Nvml::of("0000:99:00.0", UOTBENCH_SOFTWARE_NVML), nullptr);
  EXPECT_EQ(Nvml::of(address, "libm.so.6"), nullptr);  // a library of something else
  tell("INIT", "9");                                   // NVML_ERROR_DRIVER_NOT_LOADED
  EXPECT_EQ(Nvml::of(address, UOTBENCH_SOFTWARE_NVML), nullptr);
}

}  // namespace
}  // namespace uotbench
