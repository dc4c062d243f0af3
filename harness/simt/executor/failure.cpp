#include "harness/simt/executor/failure.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "harness/simt/executor/scheduler.hpp"
#include "harness/simt/runtime/launch.hpp"
#include "harness/trace/base/source_lines.hpp"

namespace uotbench::simt {
namespace {

const char* name_of(Meeting kind) {
  constexpr const char* names[] = {
      "__syncthreads()",     "__syncthreads_count()", "__syncthreads_and()", "__syncthreads_or()",
      "__syncwarp()",        "__shfl_sync()",         "__shfl_up_sync()",    "__shfl_down_sync()",
      "__shfl_xor_sync()",   "__ballot_sync()",       "__any_sync()",        "__all_sync()",
      "__match_any_sync()",  "__reduce_add_sync()",   "__reduce_add_sync()", "__reduce_min_sync()",
      "__reduce_min_sync()", "__reduce_max_sync()",   "__reduce_max_sync()", "__reduce_and_sync()",
      "__reduce_or_sync()",  "__reduce_xor_sync()",   "mma_tf32()",          "mma_bf16()"};
  return names[static_cast<int>(kind)];
}

/// FILE:LINE, FILE in the project as source_lines() tells it, whatever folder the compiler was called in.
std::string text_of(const std::source_location& where) {
  std::string file = std::filesystem::path(where.file_name()).lexically_normal().string();
  while (file.starts_with("../")) file.erase(0, 3);
  return fmt::format("{}:{}", file, where.line());
}

/// "0-3,7"
std::string ranges(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[i]);
    if (end > i) text += fmt::format("-{}", numbers[end]);
    i = end + 1;
  }
  return text;
}

class Report {
 public:
  Report(const Failure& failure, const Scheduler& scheduler) : failure_(failure), scheduler_(scheduler) {}

  std::vector<int> threads() const;
  std::string text() const;
  std::string at() const;
  /// "thread (3,1,0) (warp 1, lane 3)", "threads (0,0,0) to (7,0,0) (warp 0, lanes 0-7)"
  std::string names(const std::vector<int>& threads) const;

 private:
  const Fiber& fiber(int thread) const { return scheduler_.fibers()[static_cast<std::size_t>(thread)]; }
  std::string name(int thread) const { return names({thread}); }
  /// "__syncthreads() in FILE:LINE"
  std::string meeting(int thread) const {
    return fmt::format("{} in {}", name_of(fiber(thread).kind), text_of(fiber(thread).where));
  }
  /// Threads of the block that wait where that one does, at a barrier.
  std::vector<int> beside(int thread) const;
  std::vector<int> ended() const;

  const Failure& failure_;
  const Scheduler& scheduler_;
};

std::vector<int> Report::beside(int thread) const {
  std::vector<int> threads;
  for (const Fiber& other : scheduler_.fibers())
    if (scheduler_.warps()[static_cast<std::size_t>(other.warp())].barrier >> other.lane() & 1)
      if (meeting(other.thread) == meeting(thread)) threads.push_back(other.thread);
  return threads;
}

std::vector<int> Report::ended() const {
  std::vector<int> threads;
  for (const Fiber& one : scheduler_.fibers())
    if (scheduler_.warps()[static_cast<std::size_t>(one.warp())].ended >> one.lane() & 1)
      threads.push_back(one.thread);
  return threads;
}

std::vector<int> Report::threads() const {
  switch (failure_.kind) {
    case Failure::Kind::traced:
      return scheduler_.observer->fault().threads;
    case Failure::Kind::other_barrier:
    case Failure::Kind::missing_at_barrier:
      return beside(failure_.thread);
    default:
      return {failure_.thread};
  }
}

std::string Report::names(const std::vector<int>& threads) const {
  if (threads.empty()) return "";
  const auto index = [&](int thread) {
    const Fiber& one = fiber(thread);
    return fmt::format("({},{},{})", one.x, one.y, one.z);
  };
  std::vector<int> warps, lanes;
  for (const int thread : threads) {
    if (warps.empty() || warps.back() != thread / 32) warps.push_back(thread / 32);
    lanes.push_back(thread % 32);
  }
  if (threads.size() == 1)
    return fmt::format("thread {} (warp {}, lane {})", index(threads[0]), warps[0], lanes[0]);
  if (threads.size() == 2) return fmt::format("{} and {}", name(threads[0]), name(threads[1]));
  if (warps.size() == 1)
    return fmt::format("threads {} to {} (warp {}, lanes {})", index(threads.front()), index(threads.back()),
                       warps[0], ranges(lanes));
  return fmt::format("{} threads from {} to {} (warps {})", threads.size(), index(threads.front()),
                     index(threads.back()), ranges(warps));
}

std::string Report::at() const {
  if (failure_.where.line() != 0) return text_of(failure_.where);
  const bool traced = failure_.kind == Failure::Kind::traced;
  if (const std::uint64_t place = traced ? scheduler_.observer->fault().place : failure_.place; place != 0)
    return trace::source_lines({place}).front();
  return traced ? "" : text_of(fiber(failure_.thread).where);  // where it waits
}

/// A trace's own words, and the second place of a race.
std::string text_of(const trace::Fault& fault) {
  if (fault.other_place == 0) return fault.text;
  return fmt::format("{}; the other one is in {}", fault.text,
                     trace::source_lines({fault.other_place}).front());
}

std::string Report::text() const {
  using Kind = Failure::Kind;
  const int thread = failure_.thread, other = failure_.other;
  switch (failure_.kind) {
    case Kind::none:
      break;
    case Kind::traced:
      return text_of(scheduler_.observer->fault());
    case Kind::not_in_mask:
      return fmt::format("calls a warp collective with the mask {:#010x}, which lacks its own lane",
                         static_cast<std::uint32_t>(failure_.number));
    case Kind::bad_width:
      return fmt::format("shuffles with a width of {}; expected 1, 2, 4, 8, 16 or 32", failure_.number);
    case Kind::inactive_source: {
      const Warp& warp = scheduler_.warps()[static_cast<std::size_t>(fiber(thread).warp())];
      const std::uint32_t source = 1u << failure_.number;
      return fmt::format("{} reads from lane {}, which {}", name_of(fiber(thread).kind), failure_.number,
                         !(warp.lanes & source) ? "the block does not have"
                         : warp.ended & source
                             ? "has ended"
                             : fmt::format("is not in the mask {:#010x}", fiber(thread).mask));
    }
    case Kind::partial_warp:
      return fmt::format("{} needs all 32 lanes of its warp, of which {} are left",
                         name_of(fiber(thread).kind), failure_.number);
    case Kind::other_barrier:
      return fmt::format(
          "divergent barrier: waits at {}, but {} at {}; all threads of a block have to come to "
          "the same one",
          meeting(thread), names(beside(other)), meeting(other));
    case Kind::missing_at_barrier:
      return fmt::format(
          "divergent barrier: waits at {}, but {} ended before it; all threads of a block have to come to it",
          meeting(thread), names(ended()));
    case Kind::other_mask:
      return fmt::format(
          "{} with the mask {:#010x}, but {} comes to {} with {:#010x}; all lanes have to give "
          "the same mask",
          name_of(fiber(thread).kind), fiber(thread).mask, name(other), meeting(other), fiber(other).mask);
    case Kind::other_collective:
      return fmt::format("waits at {}, but {} at {}; all lanes of a mask have to come to the same collective",
                         meeting(thread), name(other), meeting(other));
    case Kind::deadlock:
      return fmt::format("deadlock: waits at {} (mask {:#010x}) for {}, which waits at {}", meeting(thread),
                         fiber(thread).mask, name(other), meeting(other));
    case Kind::grid_sync:
      return "grid-wide synchronisation is refused: blocks run one after another here, so that none can wait "
             "for "
             "another";
    case Kind::nested:
      return "launches another kernel, which is not possible here";
    case Kind::trap:
      return "__trap()";
    case Kind::spinning:
      return fmt::format(
          "{} atomics without coming to a barrier: it waits for a thread that does not run, as "
          "threads run one after another here",
          failure_.number);
    case Kind::endless:
      return fmt::format(
          "ran for {} ms without coming to a barrier: a loop without end, or it waits for a thread "
          "that does not run, as threads run one after another here",
          failure_.number);
    case Kind::stack_overflow:
      return fmt::format(
          "stack overflow: more than the {} bytes that a thread has for local variables and calls",
          scheduler_.stacks().size());
    case Kind::bad_address:
      return fmt::format("accesses address {:#x}, where no memory is", failure_.address);
    case Kind::division:
      return "divides an integer by zero, or the least one by -1";
    case Kind::bad_copy:
      return fmt::format(
          "asynchronous copy of {} bytes; expected 4, 8 or 16, and both addresses multiples of it",
          failure_.number);
  }
  return "nothing is wrong";
}

}  // namespace

KernelError error_of(const Failure& failure, const Scheduler& scheduler, const std::string& kernel) {
  const Report report(failure, scheduler);
  KernelError::Site site{kernel, report.at(), scheduler.index, report.threads()};
  const std::string at = site.at.empty() ? "" : ", " + site.at;
  const std::string threads = site.threads.empty() ? "" : ", " + report.names(site.threads);
  const std::string text = fmt::format("kernel {}{}, block ({},{},{}){}: {}", kernel, at, site.block[0],
                                       site.block[1], site.block[2], threads, report.text());
  return {text, std::move(site)};
}

}  // namespace uotbench::simt
