// Threads of a block, without fibers: each does what a function says.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "harness/trace/warps/recorder.hpp"
#include "harness/trace/warps/warps.hpp"

namespace uotbench::trace {

/// Thrown where a kernel would be left for good.
struct Stopped {};

class WarpFixture : public testing::Test {
 protected:
  WarpFixture() { begin(); }

  /// A trace with the arrays below, in a block of a launch.
  void begin(const WarpOptions& options = {}, int threads = 32) {
    trace_.reset();
    trace_ = std::make_unique<WarpTrace>(options, [] { throw Stopped(); });
    trace_->add_global(global_, sizeof global_);
    launch(threads);
  }
  void launch(int threads, const std::string& kernel = "kernel") {
    threads_ = threads;
    LaunchMemory memory;
    memory.static_shared = {span(shared_)};
    memory.dynamic_shared = span(dynamic_);
    memory.constants = span(constants_);
    memory.stacks = span(stack_);
    memory.parameters = span(parameters_);
    memory.variables = {span(variable_)};
    trace_->begin_launch(kernel, threads, memory);
    trace_->begin_block();
  }

  template <class Act>
  void thread(int number, Act act) {
    trace_->run(number);
    act(number);
    trace_->rest();
  }
  /// All of them, one after another.
  template <class Act>
  void each(Act act) {
    for (int number = 0; number < threads_; ++number) thread(number, act);
  }
  /// A barrier comes after it.
  template <class Act>
  bool interval(Act act, std::uint64_t place = 900) {
    each([&](int number) {
      act(number);
      trace_->meet(place);
    });
    return trace_->end_interval();
  }

  // Of the running thread.
  void read(const void* at, unsigned size = 4, std::uint64_t place = 1) {
    trace_->access(at, size, AccessKind::read, place);
  }
  void write(const void* at, unsigned size = 4, std::uint64_t place = 2) {
    trace_->access(at, size, AccessKind::write, place);
  }
  void change(const void* at, unsigned size = 4, std::uint64_t place = 3) {
    trace_->access(at, size, AccessKind::atomic, place);
  }
  static void block(std::uint64_t place) { recorder->block(place); }

  /// Of the whole launch, which ends.
  WarpCounts counts() {
    EXPECT_TRUE(trace_->end_interval()) << trace_->fault().text;
    trace_->end_launch();
    return trace_->take();
  }
  /// Its one site.
  SiteCounts site() {
    const WarpCounts all = counts();
    EXPECT_EQ(all.sites.size(), 1u);
    return all.sites.empty() ? SiteCounts{} : all.sites[0];
  }
  /// Of all sites together.
  static std::uint64_t sum(const WarpCounts& counts, std::uint64_t SiteCounts::*what) {
    std::uint64_t all = 0;
    for (const SiteCounts& site : counts.sites) all += site.*what;
    return all;
  }

  /// What a thread is stopped for; empty: it is not.
  template <class Act>
  std::string fault(int number, Act act) {
    try {
      thread(number, act);
    } catch (const Stopped&) {
      return trace_->fault().text;
    }
    return "";
  }

  template <class T>
  static Span span(T& of) {
    const auto at = reinterpret_cast<std::uintptr_t>(&of);
    return {at, at + sizeof of};
  }

  /// Nothing lies right beside it.
  template <std::size_t n>
  struct alignas(128) Apart {
    char before[128];
    float values[n] = {};
    char after[128];
  };
  Apart<4096> global_memory_;
  Apart<2048> shared_memory_;
  Apart<64> dynamic_memory_, stack_memory_;
  Apart<32> constant_memory_;
  Apart<8> parameter_memory_, variable_memory_;
  float (&global_)[4096] = global_memory_.values;
  float (&shared_)[2048] = shared_memory_.values;
  float (&dynamic_)[64] = dynamic_memory_.values;
  float (&stack_)[64] = stack_memory_.values;
  float (&constants_)[32] = constant_memory_.values;
  float (&parameters_)[8] = parameter_memory_.values;
  float (&variable_)[8] = variable_memory_.values;
  int threads_ = 0;
  std::unique_ptr<WarpTrace> trace_;
};

}  // namespace uotbench::trace
