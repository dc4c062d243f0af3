#include "harness/trace/threads/cache.hpp"

#include <bit>
#include <stdexcept>
#include <string>

namespace uotbench::trace {
namespace {

std::uint64_t sets_of(const CacheShape& shape) {
  const auto line = static_cast<unsigned>(shape.line);
  if (shape.line < 16 || shape.line > 256 || !std::has_single_bit(line))
    throw std::invalid_argument("a cache line of " + std::to_string(shape.line) +
                                " bytes; expected a power of two from 16 to 256");
  const std::uint64_t set = line * static_cast<std::uint64_t>(shape.ways > 0 ? shape.ways : 0);
  if (set == 0 || shape.bytes == 0 || shape.bytes % set != 0)
    throw std::invalid_argument("a cache of " + std::to_string(shape.bytes) +
                                " bytes is no whole number of sets of " + std::to_string(shape.ways) +
                                " lines of " + std::to_string(line) + " bytes");
  return shape.bytes / set;
}

}  // namespace

Cache::Cache(const CacheShape& shape)
    : ways_(shape.ways),
      sets_(sets_of(shape)),
      mask_(std::has_single_bit(sets_) ? sets_ - 1 : 0),
      entries_(sets_ * static_cast<std::uint64_t>(ways_)) {}

bool Cache::touch_others(std::uint64_t* set, std::uint64_t line, bool dirty) {
  for (int way = 0; way < ways_; ++way) {
    if (!is(set[way], line)) continue;
    const std::uint64_t found = set[way] | (dirty ? dirty_bit : 0);
    for (int younger = way; younger > 0; --younger) set[younger] = set[younger - 1];
    set[0] = found;
    return true;
  }
  return false;
}

Cache::Victim Cache::insert(std::uint64_t line, bool dirty) {
  std::uint64_t* const set = set_of(line);
  int place = 0;
  while (place < ways_ - 1 && (set[place] & valid_bit)) ++place;
  const Victim victim{set[place] >> 2, (set[place] & dirty_bit) != 0};
  for (; place > 0; --place) set[place] = set[place - 1];
  set[0] = entry(line, dirty);
  return victim;
}

bool Cache::clean(std::uint64_t line) {
  auto* const found = const_cast<std::uint64_t*>(find(line));
  if (!found || !(*found & dirty_bit)) return false;
  *found &= ~dirty_bit;
  return true;
}

bool Cache::remove(std::uint64_t line) {
  std::uint64_t* const set = set_of(line);
  for (int way = 0; way < ways_; ++way) {
    if (!is(set[way], line)) continue;
    // What is older moves up, so that free places are always the last ones.
    for (; way < ways_ - 1; ++way) set[way] = set[way + 1];
    set[way] = 0;
    return true;
  }
  return false;
}

}  // namespace uotbench::trace
