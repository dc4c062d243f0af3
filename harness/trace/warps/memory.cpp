#include "harness/trace/warps/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace uotbench::trace {
namespace {

const char* name(Region::Of of) {
  switch (of) {
    case Region::Of::array:
      return "an array";
    case Region::Of::variable:
      return "the program's __device__ variables";
    case Region::Of::static_shared:
      return "the program's static shared memory";
    case Region::Of::dynamic_shared:
      return "the dynamic shared memory";
    case Region::Of::constants:
      return "the program's __constant__ variables";
    case Region::Of::local:
      break;
  }
  return "local memory";
}

std::string bytes_text(std::uint64_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

const char* does(AccessKind kind) {
  return kind == AccessKind::read ? "reads" : kind == AccessKind::write ? "writes" : "changes";
}

std::uint64_t size_of(const Span& span) { return span.end - span.begin; }

}  // namespace

void WarpMemory::add_global(const void* begin, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  arrays_.push_back({at, at + bytes});
}

void WarpMemory::remove_global(const void* begin) {
  std::erase_if(arrays_,
                [&](const Span& span) { return span.begin == reinterpret_cast<std::uintptr_t>(begin); });
}

void WarpMemory::add(const Span& span, Region::Of of) {
  Region region{.span = span, .of = of};
  if (of == Region::Of::array || of == Region::Of::variable) {
    region.sectors = sectors_;
    if (span.end > span.begin) sectors_ += (span.end - 1) / 32 - span.begin / 32 + 1;
  } else if (of == Region::Of::static_shared || of == Region::Of::dynamic_shared) {
    region.shadow = (shared_bytes_ + 15) / 16 * 16 + span.begin % 16;
    shared_bytes_ = region.shadow + size_of(span);
  }
  regions_.push_back(region);
}

void WarpMemory::begin_launch(const LaunchMemory& memory) {
  regions_.clear();
  last_ = nullptr;
  shared_bytes_ = sectors_ = 0;
  for (const Span& span : arrays_) add(span, Region::Of::array);
  for (const Span& span : memory.variables) add(span, Region::Of::variable);
  for (const Span& span : memory.static_shared) add(span, Region::Of::static_shared);
  for (const auto& [span, of] :
       {std::pair{memory.dynamic_shared, Region::Of::dynamic_shared},
        std::pair{memory.constants, Region::Of::constants}, std::pair{memory.stacks, Region::Of::local},
        std::pair{memory.parameters, Region::Of::local}})
    if (span.end > span.begin) add(span, of);
  std::ranges::sort(regions_, {}, [](const Region& region) { return region.span.begin; });
  read_.assign(sectors_ / 64 + 1, 0);
  written_.assign(sectors_ / 64 + 1, 0);
}

const Region* WarpMemory::find(std::uint64_t address) const {
  auto after =
      std::ranges::upper_bound(regions_, address, {}, [](const Region& region) { return region.span.begin; });
  if (after == regions_.begin() || !(--after)->span.holds(address)) return nullptr;
  return &*after;
}

/// How far beside it an access may be that was meant for it. What the program has beside its variables is the
/// host's.
std::uint64_t WarpMemory::reach(const Region& region) {
  if (region.of != Region::Of::array && region.of != Region::Of::dynamic_shared) return 4096;
  return std::max<std::uint64_t>(std::uint64_t{64} << 10, size_of(region.span));
}

/// The region in reach whose end or beginning an access misses by the fewest bytes.
const Region* WarpMemory::nearest(std::uint64_t address, unsigned size) const {
  const Region* best = nullptr;
  std::uint64_t fewest = 0;
  for (const Region& region : regions_) {
    if (region.of == Region::Of::local) continue;
    const std::uint64_t missed =
        address + size > region.span.end ? address + size - region.span.end : region.span.begin - address;
    if (missed > reach(region)) continue;
    if (best && missed >= fewest) continue;
    best = &region;
    fewest = missed;
  }
  return best;
}

std::string WarpMemory::obstacle(std::uint64_t address, unsigned size, AccessKind kind) const {
  const std::string what = fmt::format("{} {}", does(kind), bytes_text(size));
  const Region* const region = find(address);
  if (!region || address + size > region->span.end) {
    if (address < 4096) return what + " through a null pointer";
    const Region* const near = region ? region : nearest(address, size);
    if (!near) return what + " of memory that is no device memory";
    const std::string whose = fmt::format("{} of {}", name(near->of), bytes_text(size_of(near->span)));
    if (address + size > near->span.end)
      return fmt::format("{} up to {} past the end of {}", what, bytes_text(address + size - near->span.end),
                         whose);
    return fmt::format("{} from {} before the beginning of {}", what, bytes_text(near->span.begin - address),
                       whose);
  }
  if (address % size != 0 && region->of != Region::Of::local)
    return fmt::format("{} at an address that is no multiple of {} (but {} past one)", what, size,
                       bytes_text(address % size));
  if (region->of == Region::Of::constants && kind != AccessKind::read)
    return what + " of a __constant__ variable";
  return "";
}

void WarpMemory::touch(const std::uint64_t* sectors, int count, AccessKind kind) {
  for (int i = 0; i < count; ++i) {
    // Arrays that are no multiple of 32 bytes may share a sector; it is then the one's in which it begins, or
    // the other's.
    if (!last_ || sectors[i] < last_->span.begin / 32 || sectors[i] > (last_->span.end - 1) / 32) {
      last_ = find(sectors[i] * 32);
      if (!last_ || last_->space() != Space::global) last_ = find(sectors[i] * 32 + 31);
      if (last_ && last_->space() != Space::global) last_ = nullptr;
      if (!last_) continue;
    }
    const std::uint64_t bit = last_->sectors + sectors[i] - last_->span.begin / 32;
    if (kind != AccessKind::write) read_[bit / 64] |= std::uint64_t{1} << bit % 64;
    if (kind != AccessKind::read) written_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
}

std::uint64_t WarpMemory::bytes(const Bits& bits) {
  std::uint64_t count = 0;
  for (const std::uint64_t word : bits) count += static_cast<std::uint64_t>(std::popcount(word));
  return 32 * count;
}

}  // namespace uotbench::trace
