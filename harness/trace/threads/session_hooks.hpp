// What the callbacks of code that runs in threads of the CPU come to: accesses of a session.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/trace/threads/session.hpp"

namespace uotbench::trace::session_hooks {

inline bool on() { return current != nullptr; }

[[gnu::always_inline]] inline void access(const volatile void* at, unsigned size, bool write,
                                          const void* place) {
  record(reinterpret_cast<std::uint64_t>(at), size, write, reinterpret_cast<std::uint64_t>(place));
}
[[gnu::always_inline]] inline void unaligned(const void* at, unsigned size, bool write, const void* place) {
  access(at, size, write, place);
}

/// A range of bytes: one access where the size is one that instructions have, otherwise 8 bytes at a time and
/// what is left.
inline void range(const void* from, std::uint64_t size, bool write, const void* place) {
  const char* at = static_cast<const char*>(from);
  if (size <= 64 && (size & (size - 1)) == 0) {
    if (size > 0) access(at, static_cast<unsigned>(size), write, place);
    return;
  }
  while (size > 0) {
    const unsigned piece = size >= 8 ? 8 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
    access(at, piece, write, place);
    at += piece;
    size -= piece;
  }
}
/// How much is read before it is written, in a copy.
inline std::size_t piece(std::size_t size) { return size <= 64 && (size & (size - 1)) == 0 ? size : 8; }
/// Up to 64 bytes on the caller's own stack are a value being taken apart, e.g. the bits of a float, which
/// the compiler keeps in a register.
inline bool is_local(const void* at, std::size_t size, const void* frame) {
  constexpr std::uint64_t near = 64 << 10;
  return size <= 64 && reinterpret_cast<std::uint64_t>(at) - reinterpret_cast<std::uint64_t>(frame) < near;
}

[[gnu::always_inline]] inline void atomic(const volatile void* at, unsigned size, bool write,
                                          const void* place) {
  record(reinterpret_cast<std::uint64_t>(at), size, write, reinterpret_cast<std::uint64_t>(place), true);
}
[[gnu::always_inline]] inline void load(const volatile void* at, unsigned size, const void* place) {
  atomic(at, size, false, place);
}
[[gnu::always_inline]] inline void store(const volatile void* at, unsigned size, const void* place) {
  atomic(at, size, true, place);
}
/// An atomic one that reads and writes.
[[gnu::always_inline]] inline void change(const volatile void* at, unsigned size, const void* place) {
  atomic(at, size, false, place);
  atomic(at, size, true, place);
}
/// One that may, and then that it did.
[[gnu::always_inline]] inline void compare(const volatile void* at, unsigned size, const void* place) {
  atomic(at, size, false, place);
}
[[gnu::always_inline]] inline void exchanged(const volatile void* at, unsigned size, const void* place) {
  atomic(at, size, true, place);
}
/// Before an atomic access of this order, of the compiler's __ATOMIC_…, and after it.
inline void releases(const volatile void* at, int order) {
  if (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST) meet(false, at);
}
inline void acquired(const volatile void* at, int order) {
  if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE) meet(true, at);
}

// Caches do not see them.
inline void enter(const void*) {}
inline void leave() {}
inline void block(const void*) {}

}  // namespace uotbench::trace::session_hooks
