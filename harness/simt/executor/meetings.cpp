// What warp collectives give their lanes, and the calls with which threads come to meet.
#include <bit>

#include "harness/simt/cooperative.hpp"
#include "harness/simt/executor/scheduler.hpp"

namespace uotbench::simt {
namespace {

std::uint64_t combined(Meeting kind, std::uint64_t a, std::uint64_t b) {
  const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
  const auto first_is_less = static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y);
  switch (kind) {
    case Meeting::add_signed:
    case Meeting::add_unsigned:
      return x + y;
    case Meeting::min_signed:
      return first_is_less ? x : y;
    case Meeting::min_unsigned:
      return x < y ? x : y;
    case Meeting::max_signed:
      return first_is_less ? y : x;
    case Meeting::max_unsigned:
      return x < y ? y : x;
    case Meeting::bit_and:
      return x & y;
    case Meeting::bit_or:
      return x | y;
    default:
      return x ^ y;
  }
}

/// The lane that a shuffle reads from (PTX ISA, shfl.sync, with the segment mask that CUDA's width makes).
int source_of(const Fiber& fiber) {
  const int lane = fiber.lane(), begin = lane & ~(fiber.width - 1), end = begin + fiber.width - 1;
  const long long argument = fiber.lane_argument;
  switch (fiber.kind) {
    case Meeting::shuffle:
      return begin + static_cast<int>(argument & (fiber.width - 1));
    case Meeting::shuffle_up:
      return static_cast<std::uint32_t>(argument) > static_cast<std::uint32_t>(lane - begin)
                 ? lane
                 : lane - static_cast<int>(argument);
    case Meeting::shuffle_down:
      return static_cast<std::uint32_t>(argument) > static_cast<std::uint32_t>(end - lane)
                 ? lane
                 : lane + static_cast<int>(argument);
    default:
      return (lane ^ (argument & 31)) > end ? lane : static_cast<int>(lane ^ (argument & 31));
  }
}

}  // namespace

bool Scheduler::shuffle(int number, std::uint32_t lanes) {
  Fiber* const fibers = &fibers_[static_cast<std::size_t>(number) * 32];
  std::uint64_t values[32];
  for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    values[lane] = fibers[lane].value;
  }
  for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
    Fiber& fiber = fibers[std::countr_zero(rest)];
    const int source = source_of(fiber);
    if (!(lanes >> source & 1)) {
      failure_ = {.kind = Failure::Kind::inactive_source, .thread = fiber.thread, .number = source};
      return false;
    }
    fiber.value = values[source];
  }
  return true;
}

void Scheduler::reduce(int number, std::uint32_t lanes) {
  Fiber* const fibers = &fibers_[static_cast<std::size_t>(number) * 32];
  const Meeting kind = fibers[std::countr_zero(lanes)].kind;
  std::uint64_t result = fibers[std::countr_zero(lanes)].value;
  for (std::uint32_t rest = lanes & (lanes - 1); rest; rest &= rest - 1)
    result = combined(kind, result, fibers[std::countr_zero(rest)].value);
  for (std::uint32_t rest = lanes; rest; rest &= rest - 1) fibers[std::countr_zero(rest)].value = result;
}

bool Scheduler::exchange(int number, std::uint32_t lanes) {
  Fiber* const fibers = &fibers_[static_cast<std::size_t>(number) * 32];
  const Meeting kind = fibers[std::countr_zero(lanes)].kind;
  std::uint32_t votes = 0;
  switch (kind) {
    case Meeting::sync_warp:
      return true;
    case Meeting::shuffle:
    case Meeting::shuffle_up:
    case Meeting::shuffle_down:
    case Meeting::shuffle_xor:
      return shuffle(number, lanes);
    case Meeting::ballot:
    case Meeting::any:
    case Meeting::all:
      for (std::uint32_t rest = lanes; rest; rest &= rest - 1)
        if (const int lane = std::countr_zero(rest); fibers[lane].value) votes |= 1u << lane;
      for (std::uint32_t rest = lanes; rest; rest &= rest - 1)
        fibers[std::countr_zero(rest)].value = kind == Meeting::ballot ? votes
                                               : kind == Meeting::any  ? votes != 0
                                                                       : votes == lanes;
      return true;
    case Meeting::multiply_tf32:
    case Meeting::multiply_bf16:
      if (lanes != 0xffffffffu) {
        failure_ = {.kind = Failure::Kind::partial_warp,
                    .thread = fibers[std::countr_zero(lanes)].thread,
                    .number = std::popcount(lanes)};
        return false;
      }
      multiply(fibers);
      return true;
    case Meeting::match_any: {
      std::uint64_t values[32];
      for (std::uint32_t rest = lanes; rest; rest &= rest - 1)
        values[std::countr_zero(rest)] = fibers[std::countr_zero(rest)].value;
      for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
        Fiber& fiber = fibers[std::countr_zero(rest)];
        fiber.value = 0;
        for (std::uint32_t others = lanes; others; others &= others - 1)
          if (values[std::countr_zero(others)] == values[fiber.lane()])
            fiber.value |= 1u << std::countr_zero(others);
      }
      return true;
    }
    default:
      reduce(number, lanes);
      return true;
  }
}

int meet_block(Meeting kind, int predicate, std::source_location where) {
  Fiber& fiber = *running;
  fiber.kind = kind;
  fiber.value = predicate != 0;
  fiber.where = where;
  if (scheduler->observer) scheduler->observer->meet(UOTBENCH_PLACE);
  return static_cast<int>(scheduler->wait_in_block(fiber));
}

std::uint64_t meet_warp(Meeting kind, unsigned mask, std::uint64_t value, int lane, int width,
                        std::source_location where) {
  Fiber& fiber = *running;
  if (!(mask >> fiber.lane() & 1))
    scheduler->leave(
        {.kind = Failure::Kind::not_in_mask, .thread = fiber.thread, .number = mask, .where = where});
  if (width < 1 || width > 32 || (width & (width - 1)) != 0)
    scheduler->leave(
        {.kind = Failure::Kind::bad_width, .thread = fiber.thread, .number = width, .where = where});
  fiber.kind = kind;
  fiber.mask = mask;
  fiber.value = value;
  fiber.lane_argument = lane;
  fiber.width = width;
  fiber.where = where;
  if (scheduler->observer) scheduler->observer->meet(UOTBENCH_PLACE);
  return scheduler->wait_in_warp(fiber);
}

void trap(std::source_location where) {
  scheduler->leave({.kind = Failure::Kind::trap, .thread = running->thread, .where = where});
}

void refuse_grid_sync(std::source_location where) {
  scheduler->leave({.kind = Failure::Kind::grid_sync, .thread = running->thread, .where = where});
}

unsigned thread_x() noexcept { return running->x; }
unsigned thread_y() noexcept { return running->y; }
unsigned thread_z() noexcept { return running->z; }
unsigned lane_bit() noexcept { return 1u << running->lane(); }
unsigned block_x() noexcept { return scheduler->index[0]; }
unsigned block_y() noexcept { return scheduler->index[1]; }
unsigned block_z() noexcept { return scheduler->index[2]; }
unsigned block_size_x() noexcept { return scheduler->block.x; }
unsigned block_size_y() noexcept { return scheduler->block.y; }
unsigned block_size_z() noexcept { return scheduler->block.z; }
unsigned grid_size_x() noexcept { return scheduler->grid.x; }
unsigned grid_size_y() noexcept { return scheduler->grid.y; }
unsigned grid_size_z() noexcept { return scheduler->grid.z; }
void* dynamic_shared() noexcept { return scheduler->dynamic_shared; }

}  // namespace uotbench::simt
