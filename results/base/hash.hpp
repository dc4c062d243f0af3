// A hash that distinguishes texts and builds. It need not resist attacks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace uotbench {

/// Fowler, Noll, Vo: FNV-1a, 64 bits, of no bytes yet.
inline constexpr std::uint64_t fnv1a_start = 0xcbf29ce484222325u;

/// The hash of `bytes`; or of what `hash` is the hash of, and then `bytes`.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = fnv1a_start) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

/// As files have it: 16 digits, 0-9 and a-f.
std::string hash_text(std::uint64_t hash);
inline std::string hash_text(std::string_view bytes) { return hash_text(fnv1a(bytes)); }

}  // namespace uotbench
