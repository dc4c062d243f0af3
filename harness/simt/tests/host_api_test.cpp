// The host's half of CUDA: what it refuses, and in which words.
#include <gmock/gmock.h>

#include <cstring>
#include <numeric>

#include "harness/simt/cuda.hpp"
#include "harness/simt/device_array.hpp"

namespace uotbench::simt::tests {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::ThrowsMessage;

std::string words_of(cudaError_t error) { return cudaGetErrorString(error); }

__global__ void any_kernel() {}

TEST(HostApi, DescribesADeviceOfComputeCapability90) {
  cudaDeviceProp device;
  ASSERT_EQ(cudaGetDeviceProperties(&device, 0), cudaSuccess);
  EXPECT_STREQ(device.name, "CPU executor");
  EXPECT_EQ(device.major * 10 + device.minor, 90);
  EXPECT_EQ(device.multiProcessorCount, 132);
  EXPECT_EQ(device.maxThreadsPerBlock, 1024);
  EXPECT_EQ(device.regsPerBlock, 65536);
  EXPECT_EQ(device.warpSize, 32);
  EXPECT_EQ(device.sharedMemPerBlock, 49152u);
  EXPECT_EQ(device.sharedMemPerBlockOptin, 232448u);
  EXPECT_GT(device.totalGlobalMem, 1u << 20);
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), cudaSuccess);
  EXPECT_EQ(value, 232448);
  EXPECT_EQ(words_of(cudaSetDevice(1)),
            "invalid device ordinal (device 1; there is only 0, the CPU executor)");
}

TEST(HostApi, RemembersTheLastErrorUntilItIsAskedFor) {
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(words_of(cudaErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorNotSupported), "cudaErrorNotSupported");
}

TEST(HostApi, GivesMemoryOfNoValue) {
  float* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0u);
  EXPECT_TRUE(std::isnan(memory[15]));
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_THAT(words_of(cudaFree(memory)),
              HasSubstr("what cudaMalloc did not give, or that is freed already"));
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST(HostApi, RefusesMoreMemoryThanTheMachineHas) {
  EXPECT_THAT([] { DeviceArray<double>(std::size_t{1} << 58); },
              ThrowsMessage<std::runtime_error>(MatchesRegex(
                  "device array of 2305843009213693952 bytes: out of memory \\(2305843009213693952 bytes "
                  "asked for, this machine has [0-9]+ in all\\)")));
  EXPECT_THAT([] { DeviceArray<double>(std::size_t{1} << 62); },
              ThrowsMessage<std::runtime_error>(
                  "device array of 4611686018427387904 elements of 8 bytes: more than can be addressed"));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(HostApi, CopiesOnlyWithinTheDevicesMemory) {
  std::vector<int> host(8);
  DeviceArray<int> array(8);
  EXPECT_EQ(words_of(cudaMemcpy(array.data() + 2, host.data(), 32, cudaMemcpyHostToDevice)),
            "invalid argument (cudaMemcpy of 32 bytes: what it writes ends after 24 bytes)");
  EXPECT_EQ(words_of(cudaMemcpy(host.data(), host.data(), 32, cudaMemcpyDeviceToHost)),
            "invalid argument (cudaMemcpy of 32 bytes: what it reads is not in the device's memory)");
  EXPECT_EQ(words_of(cudaMemset(array.data(), 0, 33)),
            "invalid argument (cudaMemset of 33 bytes: what it writes ends after 32 bytes)");
  EXPECT_EQ(cudaMemcpy(array.data(), host.data(), 32, cudaMemcpyDefault), cudaSuccess);
}

TEST(HostApi, CopiesToSymbolsAsMuchAsTheyHold) {
  static int symbol[2];
  const int values[3] = {1, 2, 3};
  EXPECT_EQ(cudaMemcpyToSymbol(symbol, values, 4, 4), cudaSuccess);
  EXPECT_EQ(symbol[1], 1);
  EXPECT_EQ(words_of(cudaMemcpyToSymbol(symbol, values, 12)),
            "invalid argument (cudaMemcpyToSymbol of 12 bytes at 0, the symbol has 8)");
  int back[3];
  EXPECT_EQ(words_of(cudaMemcpyFromSymbol(back, symbol, 8, 4)),
            "invalid argument (cudaMemcpyFromSymbol of 8 bytes at 4, the symbol has 8)");
}

TEST(HostApi, TellsNoTime) {
  cudaEvent_t start, stop;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&stop), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(start), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(stop), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(
      words_of(cudaEventElapsedTime(&milliseconds, start, stop)),
      "operation not supported (times of events: how long a kernel takes on the CPU executor says nothing)");
  EXPECT_EQ(milliseconds, -1);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(stop), cudaSuccess);
}

TEST(HostApi, EstimatesOccupancyByThreadsAndSharedMemory) {
  const auto blocks = [](int threads, std::size_t shared) {
    int count = -1;
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, any_kernel, threads, shared),
              cudaSuccess);
    return count;
  };
  EXPECT_EQ(blocks(1024, 0), 2);
  EXPECT_EQ(blocks(33, 0), 32);
  EXPECT_EQ(blocks(128, 100 * 1024), 2);
  EXPECT_EQ(blocks(128, 227 * 1024), 1);
  EXPECT_EQ(blocks(128, 228 * 1024), 0);
  EXPECT_EQ(blocks(2048, 0), 0);
}

TEST(HostApi, RefusesCooperativeLaunches) {
  EXPECT_EQ(words_of(cudaLaunchCooperativeKernel(any_kernel, 1, 1, nullptr)),
            "operation not supported (cooperative launches: blocks run one after another here, so that none "
            "can wait "
            "for another)");
}

TEST(HostApi, IsCheckedWithThePlaceOfTheCall) {
  EXPECT_NO_THROW(check(cudaSuccess));
  EXPECT_THAT([] { check(cudaErrorInvalidSymbol); },
              ThrowsMessage<std::runtime_error>(MatchesRegex(
                  ".*harness/simt/tests/host_api_test.cpp:[0-9]+: CUDA: invalid device symbol")));
}

TEST(DeviceArrays, HoldWhatIsUploaded) {
  std::vector<int> values(100), back(100);
  std::iota(values.begin(), values.end(), 0);
  DeviceArray<int> array(values);
  array.download(back);
  EXPECT_EQ(back, values);
  DeviceArray<int> moved = std::move(array);
  EXPECT_EQ(moved.size(), 100u);
  EXPECT_EQ(array.data(), nullptr);
  moved.zero();
  moved.download(back);
  EXPECT_EQ(back, std::vector<int>(100));
  EXPECT_THAT([&] { moved.upload(std::span(values).first(99)); },
              ThrowsMessage<std::runtime_error>("copy of 99 elements to or from a device array of 100"));
  EXPECT_EQ(DeviceArray<int>(0).data(), nullptr);
}

TEST(HostApi, TellsTheMostThatArraysHeldAtOnce) {
  DeviceMemory::watch();
  const std::size_t before = DeviceMemory::peak();
  {
    DeviceArray<double> kept(1000);
    { const DeviceArray<float> other(500); }
    const DeviceArray<float> later(100);  // less than the other was
    const DeviceArray<double> moved = std::move(kept);
    EXPECT_EQ(DeviceMemory::peak() - before, 8000u + 2000u);
    DeviceMemory::watch();
    EXPECT_EQ(DeviceMemory::peak() - before, 8000u + 400u) << "what is held now";
  }
  DeviceMemory::watch();
  EXPECT_EQ(DeviceMemory::peak(), before) << "all is given back";
}

}  // namespace
}  // namespace uotbench::simt::tests
