// A launch: its limits, the order of its blocks, who watches, and what becomes of an error.
#include <fmt/format.h>

#include <cstring>
#include <numeric>
#include <utility>

#include "harness/simt/executor/device.hpp"
#include "harness/simt/executor/failure.hpp"
#include "harness/simt/executor/scheduler.hpp"
#include "harness/simt/executor/symbols.hpp"
#include "harness/simt/runtime/runtime_api.hpp"

namespace uotbench::simt {
namespace {

struct Executor {
  Scheduler scheduler;
  SharedMemory shared;
  Limits limits;
  Order order = Order::ascending;
  std::uint64_t seed = 1, launches = 0;
  Observer* observer = nullptr;
};

Executor& executor() {
  static Executor one;
  return one;
}

void refuse(const Call& call, const std::string& text) {
  const std::string& name = symbol_of(call.kernel).name;
  throw KernelError(fmt::format("kernel {}: {}", name, text), {name, "", {}, {}});
}

void check_limits(const Call& call, dim3 grid, dim3 block, std::size_t shared_bytes) {
  using Limit = DeviceLimits;
  const auto expect = [&](const char* what, unsigned number, unsigned limit) {
    if (number == 0) refuse(call, fmt::format("launch with {} 0; expected at least 1", what));
    if (number > limit)
      refuse(call, fmt::format("launch with {} {}; expected at most {}", what, number, limit));
  };
  expect("gridDim.x", grid.x, Limit::grid_x);
  expect("gridDim.y", grid.y, Limit::grid_y);
  expect("gridDim.z", grid.z, Limit::grid_z);
  expect("blockDim.x", block.x, Limit::block_x);
  expect("blockDim.y", block.y, Limit::block_y);
  expect("blockDim.z", block.z, Limit::block_z);
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (threads > Limit::block_threads)
    refuse(call, fmt::format("launch with a block of {}x{}x{} = {} threads; expected at most {}", block.x,
                             block.y, block.z, threads, Limit::block_threads));
  if (shared_bytes > Limit::shared_by_request)
    refuse(call, fmt::format("launch with {} bytes of dynamic shared memory; expected at most {}",
                             shared_bytes, Limit::shared_by_request));
  if (shared_bytes > shared_limit(call.kernel))
    refuse(call, fmt::format(
                     "launch with {} bytes of dynamic shared memory; more than {} have to be asked for with "
                     "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, {})",
                     shared_bytes, shared_limit(call.kernel), shared_bytes));
}

/// Numbers 0..count-1 in an order that needs no memory.
class Sequence {
 public:
  Sequence(Order order, std::uint64_t count, std::mt19937_64& random) : count_(count) {
    if (order == Order::descending) {
      step_ = count - 1;
      first_ = count - 1;
    } else if (order == Order::shuffled && count > 2) {
      first_ = random() % count;
      do step_ = 1 + random() % (count - 1);
      while (std::gcd(step_, count) != 1);
    }
  }
  std::uint64_t operator[](std::uint64_t i) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(i) * step_ + first_) % count_);
  }

 private:
  std::uint64_t count_, step_ = 1, first_ = 0;
};

/// Sets who runs, and takes it back.
class Running {
 public:
  explicit Running(Scheduler& one) { scheduler = &one; }
  ~Running() {
    scheduler->observer = nullptr;
    scheduler = nullptr;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

/// Between begin_launch() and end_launch().
class Watched {
 public:
  Watched(Observer* observer, const std::string& kernel, int threads, const trace::LaunchMemory& memory)
      : observer_(observer) {
    if (observer_) observer_->begin_launch(kernel, threads, memory);
  }
  ~Watched() {
    if (observer_) observer_->end_launch();
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  Observer* observer_;
};

trace::LaunchMemory memory_of(const Executor& executor, const Call& call, const void* shared,
                              std::size_t shared_bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(shared);
  const auto arguments = reinterpret_cast<std::uintptr_t>(call.arguments);
  return {thread_local_variables(),
          {begin, begin + shared_bytes},
          executor.scheduler.stacks().span(),
          {arguments, arguments + call.size},
          variables(),
          constants()};
}

void run_blocks(Executor& executor, const Call& call, Order order, std::mt19937_64& random, void* shared,
                std::size_t shared_bytes) {
  Scheduler& run = executor.scheduler;
  const std::uint64_t blocks = std::uint64_t{run.grid.x} * run.grid.y * run.grid.z;
  const Sequence sequence(order, blocks, random);
  run.arrange(order, random);
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const std::uint64_t number = sequence[i];
    run.index = {static_cast<unsigned>(number % run.grid.x),
                 static_cast<unsigned>(number / run.grid.x % run.grid.y),
                 static_cast<unsigned>(number / run.grid.x / run.grid.y)};
    if (order == Order::shuffled) run.arrange(order, random);
    if (shared_bytes > 0) std::memset(shared, 0xff, shared_bytes);  // nobody wrote it: NaNs
    if (!run.run_block()) throw error_of(run.failure(), run, symbol_of(call.kernel).name);
  }
}

}  // namespace

void run_grid(const Call& call, dim3 grid, dim3 block, std::size_t shared_bytes) {
  if (running)
    scheduler->leave({.kind = Failure::Kind::nested, .thread = running->thread, .place = UOTBENCH_PLACE});
  check_limits(call, grid, block, shared_bytes);
  Executor& here = executor();
  const std::uint64_t number = here.launches++;
  constexpr Order orders[] = {Order::ascending, Order::descending, Order::shuffled};
  const Order order = here.order == Order::mixed ? orders[number % 3] : here.order;
  std::mt19937_64 random(here.seed + number);

  Scheduler& run = here.scheduler;
  const Running guard(run);
  run.call = call;
  run.grid = grid;
  run.block = block;
  run.observer = here.observer;
  run.most_atomics = here.limits.most_atomics;
  run.forget_failure();
  run.prepare(here.limits.stack);
  run.dynamic_shared = here.shared.end_with(shared_bytes);
  const int threads = static_cast<int>(run.fibers().size());
  const Symbol& kernel = symbol_of(call.kernel);
  const Watched watched(
      here.observer, kernel.name, threads,
      here.observer ? memory_of(here, call, run.dynamic_shared, shared_bytes) : trace::LaunchMemory{});
  const Signals signals(kernel.code, here.limits.patience);
  run_blocks(here, call, order, random, run.dynamic_shared, shared_bytes);
}

void set_order(Order order, std::uint64_t seed) {
  executor().order = order;
  executor().seed = seed;
  executor().launches = 0;
}
void set_limits(const Limits& limits) { executor().limits = limits; }
void set_observer(Observer* observer) {
  executor().observer = observer;
  watch_arrays(observer);
}

void stop_thread() { scheduler->leave({.kind = Failure::Kind::traced, .thread = running->thread}); }

}  // namespace uotbench::simt
