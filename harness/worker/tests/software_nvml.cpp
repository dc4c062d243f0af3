// NVIDIA's management library as far as a worker asks it, for a GPU at 0000:01:00.0 that is what the
// environment says: SOFTWARE_NVML_ECC, _LIMITS, _OTHERS, _BYTES, numbers; SOFTWARE_NVML_INIT, what nvmlInit
// answers. Built a second time as an older one (SOFTWARE_NVML_OLD), which lacks functions and calls one by
// another name.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr int success = 0, not_found = 6, insufficient_size = 7;

unsigned long long told(const char* name, unsigned long long otherwise) {
  const char* const text = std::getenv((std::string("SOFTWARE_NVML_") + name).c_str());
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct ProcessInfo {
  unsigned pid;
  unsigned long long used_memory;
  unsigned instance, compute_instance;
};

int device;  // its address is the handle

}  // namespace

extern "C" {

int nvmlInit_v2() { return static_cast<int>(told("INIT", success)); }
int nvmlShutdown() { return success; }

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 1;
  return success;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned, void** handle) {
  *handle = &device;
  return success;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** handle) {
  *handle = &device;
  return std::strcmp(address, "0000:01:00.0") == 0 ? success : not_found;
}

int nvmlDeviceGetClockInfo(void* of, unsigned which, unsigned* mhz) {
  *mhz = which == 1 ? 1755 : which == 2 ? 2619 : 0;
  return of == &device ? success : not_found;
}

int nvmlDeviceGetMaxClockInfo(void*, unsigned which, unsigned* mhz) {
  *mhz = which == 1 ? 1980 : 2619;
  return success;
}

int nvmlDeviceGetTemperature(void*, unsigned, unsigned* degrees) {
  *degrees = 41;
  return success;
}

#ifdef SOFTWARE_NVML_OLD

int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* bits) {
  *bits = told("LIMITS", 0);
  return success;
}

#else

int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* bits) {
  *bits = told("LIMITS", 0);
  return success;
}

int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 123500;
  return success;
}

int nvmlDeviceGetTotalEccErrors(void*, unsigned kind, unsigned counter, unsigned long long* errors) {
  *errors = kind == 1 && counter == 0 ? told("ECC", 0) : 999;
  return success;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, ProcessInfo* processes) {
  const auto all = static_cast<unsigned>(told("OTHERS", 0)) + 1;
  if (*count < all) return insufficient_size;
  processes[0] = {static_cast<unsigned>(::getpid()), told("BYTES", ~0ull), 0, 0};
  for (unsigned i = 1; i < all; ++i) processes[i] = {i, 999, 0, 0};
  *count = all;
  return success;
}

int nvmlDeviceGetEccMode(void*, unsigned* now, unsigned* pending) {
  *now = 1;
  *pending = 0;
  return success;
}

int nvmlSystemGetDriverVersion(char* version, unsigned size) {
  std::strncpy(version, "570.86.15", size);
  return success;
}

#endif
}
