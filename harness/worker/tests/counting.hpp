// Instances to be counted, and the page faults that they have.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/worker/counters/counters.hpp"
#include "harness/worker/platform.hpp"
#include "results/base/error.hpp"

namespace uotbench {

// Instances to be counted.

class InstanceOf : public Instance {
 public:
  explicit InstanceOf(std::function<void()> act = [] {}) : act_(std::move(act)) {}
  void iterate() override {
    ++iterations;
    act_();
  }
  std::vector<std::string> finish(Arrays&) override { return {}; }
  int iterations = 0;

 private:
  std::function<void()> act_;
};

/// In no time: every pass makes one iteration.
inline CountRequest request(std::vector<std::string> events, double seconds = 0) {
  return {.events = std::move(events), .caches = {}, .seconds = seconds};
}

inline std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Page faults to be counted.

/// So many faults: small pages that nobody has touched.
inline void touch_fresh_pages(std::size_t pages) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), bytes = pages * page;
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw Error("no memory");
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < bytes; i += page) static_cast<volatile char*>(memory)[i] = 1;
  ::munmap(memory, bytes);
}

/// 700 faults in each iteration: 200 of a thread that was there before, 400 of one that is born in it, and
/// 100 of the one that iterates.
class ThreeThreads : public InstanceOf {
 public:
  ThreeThreads()
      : InstanceOf([this] {
          meet_.arrive_and_wait();
          touch_fresh_pages(100);
          std::jthread([] { touch_fresh_pages(400); }).join();
          meet_.arrive_and_wait();
        }) {}
  ~ThreeThreads() override {
    over_ = true;
    meet_.arrive_and_wait();
  }

 private:
  std::barrier<> meet_{2};
  std::atomic<bool> over_ = false;
  std::jthread old_{[this] {
    for (;;) {
      meet_.arrive_and_wait();
      if (over_) return;
      touch_fresh_pages(200);
      meet_.arrive_and_wait();
    }
  }};
};

// A clock that shows what a test says.

/// A device whose work takes what the test says, in no time.
class MadeClock final : public DeviceClock {
 public:
  const char* name() const override { return "cuda-event"; }
  void start() override {
    now = 0;
    marks_.clear();
  }
  double stop() override { return now; }
  void mark() override { marks_.push_back(now); }
  std::vector<double> marks() override { return marks_; }
  void evict() override {}

  double now = 0;

 private:
  std::vector<double> marks_;
};

}  // namespace uotbench
