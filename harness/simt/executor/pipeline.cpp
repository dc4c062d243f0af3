#include "harness/simt/runtime/pipeline.hpp"

#include "harness/simt/executor/scheduler.hpp"

namespace uotbench::simt {
namespace {

// By hand: calls of memcpy belong to the kernel, as a trace sees them.
void copy(const Copy& copy) {
  auto* const to = static_cast<volatile unsigned char*>(copy.to);
  const auto* const from = static_cast<const volatile unsigned char*>(copy.from);
  const unsigned copied = copy.size - copy.zeros;
  for (unsigned i = 0; i < copied; ++i) to[i] = from[i];
  for (unsigned i = copied; i < copy.size; ++i) to[i] = 0;
}

}  // namespace

void copy_async(void* to, const void* from, std::size_t size, std::size_t zeros, std::source_location where) {
  Fiber& fiber = *running;
  const auto place = UOTBENCH_PLACE;
  const bool right = (size == 4 || size == 8 || size == 16) && zeros <= size &&
                     reinterpret_cast<std::uintptr_t>(to) % size == 0 &&
                     reinterpret_cast<std::uintptr_t>(from) % size == 0;
  if (!right)
    scheduler->leave({.kind = Failure::Kind::bad_copy,
                      .thread = fiber.thread,
                      .number = static_cast<std::int64_t>(size),
                      .where = where});
  // What it reads is asked for now, with the other lanes; what it writes is there when it is waited for.
  if (scheduler->observer && zeros < size)
    scheduler->observer->access(from, static_cast<unsigned>(size - zeros), trace::AccessKind::read, place);
  fiber.copies.push_back(
      {to, from, static_cast<unsigned>(size), static_cast<unsigned>(zeros), place, fiber.commits});
}

void commit_copies() { ++running->commits; }

void wait_for_copies(std::size_t newest) {
  Fiber& fiber = *running;
  if (newest > fiber.commits) return;
  const std::size_t end = fiber.commits - newest;
  std::size_t kept = 0;
  for (const Copy& each : fiber.copies) {
    if (each.commit >= end) {
      fiber.copies[kept++] = each;
      continue;
    }
    if (scheduler->observer)
      scheduler->observer->access(each.to, each.size, trace::AccessKind::write, each.place);
    copy(each);
  }
  fiber.copies.resize(kept);
}

}  // namespace uotbench::simt
