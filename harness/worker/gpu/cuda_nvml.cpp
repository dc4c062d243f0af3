#include "harness/worker/gpu/cuda_nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <span>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

// As NVIDIA's NVML API reference has them; the library's own header comes with some toolkits only.
using Status = int;  // 0: success
using Device = struct nvmlDevice_st*;
struct ProcessInfo {  // nvmlProcessInfo_t of nvmlDeviceGetComputeRunningProcesses_v3
  unsigned pid;
  unsigned long long used_memory;
  unsigned instance, compute_instance;
};
constexpr unsigned clock_sm = 1, clock_memory = 2, sensor_gpu = 0;
constexpr unsigned uncorrected = 1, volatile_counter = 0;
constexpr unsigned most_processes = 64;
constexpr unsigned long long not_available = ~0ull;  // NVML_VALUE_NOT_AVAILABLE

struct Limit {
  unsigned long long bit;
  const char* text;
};
// nvmlClocksEventReasons: those that make a kernel slower than the GPU could be. Idle (bit 0) does not.
constexpr Limit limits[] = {
    {0x2, "clocks are set by an application"},
    {0x4, "clocks were held down by the power cap"},
    {0x8, "clocks were held down by the hardware (heat, power)"},
    {0x20, "clocks were held down by the heat (software)"},
    {0x40, "clocks were held down by the heat (hardware)"},
    {0x80, "clocks were held down by the power brake"},
    {0x100, "clocks were held down by the display"},
};

}  // namespace

struct Nvml::Library {
  ~Library() {
    if (shutdown) shutdown();
    if (handle) ::dlclose(handle);
  }

  template <class Function>
  Function find(const char* name) const {
    return reinterpret_cast<Function>(::dlsym(handle, name));
  }
  /// Calls a function that fills a value, if the library has it and it works.
  template <class Value, class... Arguments>
  std::optional<Value> ask(const char* name, Arguments... arguments) const {
    Value value{};
    const auto function = find<Status (*)(Device, Arguments..., Value*)>(name);
    if (!function || function(device, arguments..., &value) != 0) return std::nullopt;
    return value;
  }

  void* handle = nullptr;
  Status (*shutdown)() = nullptr;
  Device device = nullptr;
};

std::unique_ptr<Nvml> Nvml::of(const std::string& pci_address, const char* file) {
  auto library = std::make_unique<Library>();
  library->handle = ::dlopen(file, RTLD_NOW);
  if (!library->handle) return nullptr;
  const auto init = library->find<Status (*)()>("nvmlInit_v2");
  const auto by_address = library->find<Status (*)(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
  if (!init || !by_address || init() != 0) return nullptr;
  library->shutdown = library->find<Status (*)()>("nvmlShutdown");
  if (by_address(pci_address.c_str(), &library->device) != 0) return nullptr;
  return std::unique_ptr<Nvml>(new Nvml(std::move(library)));
}

Nvml::Nvml(std::unique_ptr<Library> library) : library_(std::move(library)) {}
Nvml::~Nvml() = default;

GpuState Nvml::state() const {
  const Library& ask = *library_;
  GpuState state;
  state.sm_mhz = ask.ask<unsigned>("nvmlDeviceGetClockInfo", clock_sm);
  state.memory_mhz = ask.ask<unsigned>("nvmlDeviceGetClockInfo", clock_memory);
  state.limits = ask.ask<unsigned long long>("nvmlDeviceGetCurrentClocksEventReasons");
  if (!state.limits)  // what it was called before driver 535
    state.limits = ask.ask<unsigned long long>("nvmlDeviceGetCurrentClocksThrottleReasons");
  state.temperature = ask.ask<unsigned>("nvmlDeviceGetTemperature", sensor_gpu);
  if (const auto milliwatts = ask.ask<unsigned>("nvmlDeviceGetPowerUsage")) state.watts = *milliwatts / 1e3;
  state.memory_errors =
      ask.ask<unsigned long long>("nvmlDeviceGetTotalEccErrors", uncorrected, volatile_counter);
  if (const auto running =
          ask.find<Status (*)(Device, unsigned*, ProcessInfo*)>("nvmlDeviceGetComputeRunningProcesses_v3")) {
    unsigned count = most_processes;
    std::array<ProcessInfo, most_processes> processes{};
    if (running(ask.device, &count, processes.data()) == 0) {
      state.others = 0;
      for (const ProcessInfo& process : std::span(processes).first(count))
        if (process.pid != static_cast<unsigned>(::getpid()))
          ++*state.others;
        else if (process.used_memory != not_available)
          state.own_bytes = process.used_memory;
    }
  }
  return state;
}

Json Nvml::facts() const {
  const auto number = [](auto value) { return value ? Json(*value) : Json(nullptr); };
  Json facts{{"most_sm_mhz", number(library_->ask<unsigned>("nvmlDeviceGetMaxClockInfo", clock_sm))},
             {"most_memory_mhz", number(library_->ask<unsigned>("nvmlDeviceGetMaxClockInfo", clock_memory))},
             {"ecc", nullptr},
             {"driver", nullptr}};
  unsigned now = 0, pending = 0;
  if (const auto ecc = library_->find<Status (*)(Device, unsigned*, unsigned*)>("nvmlDeviceGetEccMode");
      ecc && ecc(library_->device, &now, &pending) == 0)
    facts["ecc"] = now != 0;
  std::array<char, 96> version{};
  if (const auto driver = library_->find<Status (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
      driver && driver(version.data(), version.size()) == 0)
    facts["driver"] = version.data();
  return facts;
}

Json to_json(const GpuState& state) {
  const auto value = [](const auto& one) { return one ? Json(*one) : Json(nullptr); };
  return {{"sm_mhz", value(state.sm_mhz)},         {"memory_mhz", value(state.memory_mhz)},
          {"clock_limits", value(state.limits)},   {"temperature", value(state.temperature)},
          {"watts", value(state.watts)},           {"memory_errors", value(state.memory_errors)},
          {"other_processes", value(state.others)}};
}

std::vector<std::string> spoilers(const GpuState& before, const GpuState& after) {
  std::vector<std::string> lines;
  const unsigned long long seen = before.limits.value_or(0) | after.limits.value_or(0);
  for (const Limit& limit : limits)
    if (seen & limit.bit) lines.emplace_back(limit.text);
  if (const unsigned others = std::max(before.others.value_or(0), after.others.value_or(0)); others > 0)
    lines.push_back(fmt::format("{} other process{} computed on the GPU", others, others == 1 ? "" : "es"));
  if (before.memory_errors && after.memory_errors && *after.memory_errors > *before.memory_errors)
    lines.push_back(fmt::format("{} uncorrected errors of the GPU's memory",
                                *after.memory_errors - *before.memory_errors));
  return lines;
}

}  // namespace uotbench
