// A GPU through the CUDA runtime: which one, what it has room for, its clock.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "harness/protocol/point_json.hpp"
#include "harness/simt/device_memory.hpp"
#include "harness/worker/gpu/cuda_nvml.hpp"
#include "harness/worker/platform.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw Error(fmt::format("{}: {}", what, cudaGetErrorString(error)));
}

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "no CUDA event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record() { check(cudaEventRecord(event_), "a CUDA event"); }
  /// stop() tells what went wrong.
  void note() { cudaEventRecord(event_); }
  void wait() { check(cudaEventSynchronize(event_), "the kernels"); }
  double seconds_since(const Event& start) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start.event_, event_), "the time between CUDA events");
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Device memory twice as large as L2, written to move all else out of it.
class Flusher {
 public:
  explicit Flusher(std::size_t l2) : bytes_(2 * l2) {
    check(cudaMalloc(&memory_, bytes_), "memory to flush L2");
  }
  ~Flusher() { cudaFree(memory_); }
  Flusher(const Flusher&) = delete;
  Flusher& operator=(const Flusher&) = delete;
  void flush() { check(cudaMemset(memory_, 0, bytes_), "flushing L2"); }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_;
};

/// Each timed call begins on an idle device: none is queued behind another.
class EventClock final : public DeviceClock {
 public:
  explicit EventClock(std::size_t l2) : l2_(l2) {}
  const char* name() const override { return "cuda-event"; }
  void start() override {
    check(cudaDeviceSynchronize(), "the kernels before");
    marked_ = 0;
    start_.record();
  }
  double stop() override {
    stop_.record();
    stop_.wait();
    check(cudaGetLastError(), "a kernel");
    return stop_.seconds_since(start_);
  }
  void mark() override {
    // Two a part, so that its end makes none and cannot fail; kept, since making one takes long.
    while (marks_.size() < marked_ + 2) marks_.push_back(std::make_unique<Event>());
    marks_[marked_++]->note();
  }
  std::vector<double> marks() override {
    std::vector<double> seconds;
    for (std::size_t i = 0; i < marked_; ++i) seconds.push_back(marks_[i]->seconds_since(start_));
    return seconds;
  }
  void evict() override {
    if (!flusher_) flusher_.emplace(l2_);
    flusher_->flush();
  }

 private:
  std::size_t l2_;
  Event start_, stop_;
  std::vector<std::unique_ptr<Event>> marks_;
  std::size_t marked_ = 0;
  std::optional<Flusher> flusher_;
};

class Gpu final : public Platform {
 public:
  Gpu() { find(); }

  Json hello() const override {
    if (!obstacle_.empty()) return {{"obstacle", obstacle_}};
    int runtime = 0, driver = 0;
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    Json device{{"index", index_},
                {"name", properties_.name},
                {"compute_capability", fmt::format("{}.{}", properties_.major, properties_.minor)},
                {"multiprocessors", properties_.multiProcessorCount},
                {"memory_bytes", properties_.totalGlobalMem},
                {"l2_bytes", properties_.l2CacheSize},
                {"cuda_runtime", runtime},
                {"cuda_driver", driver}};
    if (nvml_) device.update(nvml_->facts());
    return {{"device", device}};
  }

  std::string refusal(const Variant& variant, const Point& point) const override {
    if (!obstacle_.empty()) return obstacle_;
    if (const std::string order = settings_of(point).order; order != Settings().order)
      return fmt::format("a GPU orders its threads itself: order={} is for the CPU", order);
    std::size_t free = 0, total = 0;
    if (const auto error = cudaMemGetInfo(&free, &total); error != cudaSuccess)
      return fmt::format("{}: {}", properties_.name, cudaGetErrorString(error));
    const double needed = variant.memory(point);
    if (needed <= static_cast<double>(free)) return "";
    return fmt::format("needs {} of device memory; {} has {} free, of {}", format_bytes(needed),
                       properties_.name, format_bytes(static_cast<double>(free)),
                       format_bytes(static_cast<double>(total)));
  }

  void enter(const Point&) override {
    if (!obstacle_.empty()) throw Error(obstacle_);
    check(cudaSetDevice(index_), "the GPU");
    if (nvml_) before_ = nvml_->state();
    DeviceMemory::watch();
  }
  std::unique_ptr<DeviceClock> clock() const override {
    return std::make_unique<EventClock>(static_cast<std::size_t>(properties_.l2CacheSize));
  }
  Json usage() override {
    const GpuState now = nvml_ ? nvml_->state() : GpuState();
    return {{"gpu", nvml_ ? to_json(now) : Json(nullptr)},
            {"device_peak_bytes", DeviceMemory::peak()},
            {"device_process_bytes", now.own_bytes ? Json(*now.own_bytes) : Json(nullptr)}};
  }
  std::vector<std::string> warnings() const override {
    return nvml_ ? spoilers(before_, nvml_->state()) : std::vector<std::string>{};
  }

 private:
  /// UOTBENCH_DEVICE says which, counted from 0 as CUDA does; else the first.
  void find() {
    int count = 0;
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
      obstacle_ = "there is no NVIDIA driver here";
      return;
    }
    if (const auto error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
      obstacle_ = error == cudaSuccess || error == cudaErrorNoDevice
                      ? "there is no NVIDIA GPU here"
                      : fmt::format("there is no usable NVIDIA GPU here ({})", cudaGetErrorString(error));
      return;
    }
    if (const char* const chosen = std::getenv("UOTBENCH_DEVICE"); chosen && *chosen) {
      const char* const end = chosen + std::strlen(chosen);
      if (const auto [rest, wrong] = std::from_chars(chosen, end, index_);
          wrong != std::errc() || rest != end) {
        obstacle_ =
            fmt::format("UOTBENCH_DEVICE={} is no number of a GPU; 0 to {} are here", chosen, count - 1);
        return;
      }
    }
    if (index_ < 0 || index_ >= count) {
      obstacle_ = fmt::format("there is no GPU {} here; {} from 0 on", index_,
                              count == 1 ? "there is one" : fmt::format("there are {}", count));
      return;
    }
    if (const auto error = cudaGetDeviceProperties(&properties_, index_); error != cudaSuccess) {
      obstacle_ = fmt::format("GPU {}: {}", index_, cudaGetErrorString(error));
      return;
    }
    char address[32] = "";
    if (cudaDeviceGetPCIBusId(address, sizeof address, index_) == cudaSuccess) nvml_ = Nvml::of(address);
  }

  int index_ = 0;
  std::string obstacle_;
  cudaDeviceProp properties_{};
  std::unique_ptr<Nvml> nvml_;
  GpuState before_;
};

const bool added = set_platform(std::make_unique<Gpu>());

}  // namespace
}  // namespace uotbench
