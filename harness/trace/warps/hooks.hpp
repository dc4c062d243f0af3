// What the callbacks of a kernel's code come to: events of the thread that runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/trace/warps/recorder.hpp"

namespace uotbench::trace::warp_hooks {

inline bool on() { return recorder != nullptr; }

[[gnu::always_inline]] inline void access(const volatile void* at, unsigned size, AccessKind kind,
                                          const void* place) {
  if (WarpRecorder* const to = recorder)
    to->access(reinterpret_cast<std::uint64_t>(at), size, kind, reinterpret_cast<std::uint64_t>(place));
}
[[gnu::always_inline]] inline void access(const volatile void* at, unsigned size, bool write,
                                          const void* place) {
  access(at, size, write ? AccessKind::write : AccessKind::read, place);
}

/// In pieces of 4 bytes, as nvcc copies what it knows no better alignment of; smaller ones where that, or the
/// size, is no multiple of 4. The pieces are alike for all lanes, whose addresses differ by multiples of
/// them.
inline void range(const void* from, std::uint64_t size, bool write, const void* place) {
  const auto together = reinterpret_cast<std::uint64_t>(from) | size;
  const unsigned piece = together % 4 == 0 ? 4 : together % 2 == 0 ? 2 : 1;
  for (std::uint64_t done = 0; done < size; done += piece)
    access(static_cast<const char*>(from) + done, piece, write, place);
}
inline void unaligned(const void* at, unsigned size, bool write, const void* place) {
  range(at, size, write, place);
}
inline std::size_t piece(std::size_t size) { return size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1; }
/// The recorder knows which memory is a thread's own.
inline bool is_local(const void*, std::size_t, const void*) { return false; }

[[gnu::always_inline]] inline void load(const volatile void* at, unsigned size, const void* place) {
  access(at, size, false, place);
}
[[gnu::always_inline]] inline void store(const volatile void* at, unsigned size, const void* place) {
  access(at, size, true, place);
}
/// One instruction on a GPU.
[[gnu::always_inline]] inline void change(const volatile void* at, unsigned size, const void* place) {
  access(at, size, AccessKind::atomic, place);
}
[[gnu::always_inline]] inline void compare(const volatile void* at, unsigned size, const void* place) {
  change(at, size, place);
}
inline void exchanged(const volatile void*, unsigned, const void*) {}
/// The recorder knows what orders threads of a block.
inline void releases(const volatile void*, int) {}
inline void acquired(const volatile void*, int) {}

[[gnu::always_inline]] inline void enter(const void* place) {
  if (WarpRecorder* const to = recorder) to->enter(reinterpret_cast<std::uint64_t>(place));
}
[[gnu::always_inline]] inline void leave() {
  if (WarpRecorder* const to = recorder) to->leave();
}
[[gnu::always_inline]] inline void block(const void* place) {
  if (WarpRecorder* const to = recorder) to->block(reinterpret_cast<std::uint64_t>(place));
}

inline void exponential() {
  if (WarpRecorder* const to = recorder) ++to->exponentials;
}

}  // namespace uotbench::trace::warp_hooks
