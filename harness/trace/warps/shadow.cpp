#include "harness/trace/warps/shadow.hpp"

namespace uotbench::trace {

void WarpShadow::begin_launch(std::uint64_t bytes, int threads, bool same_kernel) {
  // Stamps go on from launch to launch, so that what is in the cells is old; they are far from all used.
  constexpr Stamp many = Stamp{1} << 31;
  if (clocks_.now() > many) {
    clocks_ = {};
    cells_.reset();
  }
  clocks_.begin_launch(threads);
  const unsigned before = grain_;
  if (!same_kernel) grain_ = 2;
  if (!cells_ || bytes > bytes_ || grain_ != before) {
    bytes_ = bytes > bytes_ ? bytes : bytes_;
    allot();
  }
  has_changes_ = has_unwritten_ = false;
}

void WarpShadow::allot() {
  const std::size_t cells = (bytes_ >> grain_) + 16;
  cells_ = std::make_unique<Mapped<Cell>>(cells);
  changers_ = std::make_unique<Mapped<Group>>(cells);
  read_stamps_ = std::make_unique<Stamps>(32 * cells);
  change_stamps_ = std::make_unique<Stamps>(32 * cells);
}

void WarpShadow::begin_block() {
  clocks_.begin_block();
  has_changes_ = has_unwritten_ = false;
}

void WarpShadow::barrier() {
  clocks_.barrier();
  has_changes_ = has_unwritten_ = false;
}

/// Every cell of 4 bytes becomes four of one, for this kernel. What is in the lanes' stamps is copied, too.
void WarpShadow::refine() {
  const auto cells = std::move(cells_);
  const auto changers = std::move(changers_);
  const auto reads = std::move(read_stamps_), changes = std::move(change_stamps_);
  grain_ = 0;
  allot();
  for (std::size_t i = 0; i < cells->size(); ++i) {
    const Cell& cell = (*cells)[i];
    const Group& changer = (*changers)[i];
    const bool used = cell.written >= clocks_.block() || cell.readers.stamp >= clocks_.block() ||
                      changer.stamp >= clocks_.block();
    if (!used || 4 * i + 3 >= cells_->size()) continue;
    for (std::size_t byte = 4 * i; byte < 4 * i + 4; ++byte) {
      (*cells_)[byte] = cell;
      if (changer.stamp >= clocks_.block()) (*changers_)[byte] = changer;
      for (std::size_t lane = 0; lane < 32; ++lane) {
        if (const Stamp stamp = (*reads)[32 * i + lane]) (*read_stamps_)[32 * byte + lane] = stamp;
        if (const Stamp stamp = (*changes)[32 * i + lane]) (*change_stamps_)[32 * byte + lane] = stamp;
      }
    }
  }
}

Race WarpShadow::against_write(const Cell& cell) const {
  if (cell.written < clocks_.interval() || cell.writer == thread_) return {};
  const int warp = cell.writer / 32;
  if (warp == warp_ && clocks_.ordered(warp, cell.writer % 32, cell.written, lane_)) return {};
  return {cell.writer, cell.write_site, AccessKind::write};
}

/// Of the group, the lowest lane that is not ordered before this thread.
Race WarpShadow::against(const Group& group, Stamps& stamps, std::uint64_t cell, AccessKind kind) const {
  if (group.stamp < clocks_.interval()) return {};
  if (group.warp != warp_) return {32 * group.warp + __builtin_ctz(group.lanes), group.site, kind};
  if (group.other != 0) return {group.other - 1, group.site, kind};
  const std::uint32_t others = group.lanes & ~(1u << lane_);
  if (others == 0 || group.stamp < clocks_.since(warp_)) return {};
  const Stamp part = clocks_.part(warp_);
  for (std::uint32_t rest = others; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    // Before lanes met apart, one time is as good as another.
    const Stamp noted = part != 0 ? stamps[32 * cell + static_cast<unsigned>(lane)] : 0;
    const Stamp at = noted >= part ? noted : part - 1;
    if (part == 0 || !clocks_.ordered(warp_, lane, at, lane_)) return {32 * warp_ + lane, group.site, kind};
  }
  return {};
}

void WarpShadow::join(Group& group, Stamps& stamps, std::uint64_t cell, SiteNumber site) {
  const std::uint32_t bit = 1u << lane_;
  if (group.stamp < clocks_.interval()) {
    group = {.lanes = bit, .warp = static_cast<std::uint16_t>(warp_)};
  } else if (group.warp != warp_) {
    group.other = static_cast<std::uint16_t>(thread_ + 1);
    return;
  } else {
    group.lanes = group.stamp < clocks_.since(warp_) ? bit : group.lanes | bit;
  }
  group.stamp = clocks_.now();
  group.site = site;
  if (clocks_.part(warp_) != 0) stamps[32 * cell + static_cast<unsigned>(lane_)] = clocks_.now();
}

void WarpShadow::note_unwritten(const Cell& cell, unsigned size, SiteNumber site) {
  if (cell.written >= clocks_.block() || has_unwritten_) return;
  has_unwritten_ = true;
  unwritten_ = {thread_, size, site};
}

Race WarpShadow::read(std::uint64_t at, unsigned size, SiteNumber site) {
  Cell& cell = (*cells_)[at];
  if (const Race race = against_write(cell); race.thread >= 0) return race;
  if (has_changes_)
    if (const Race race = against((*changers_)[at], *change_stamps_, at, AccessKind::atomic);
        race.thread >= 0)
      return race;
  note_unwritten(cell, size, site);
  join(cell.readers, *read_stamps_, at, site);
  return {};
}

Race WarpShadow::write(std::uint64_t at, SiteNumber site) {
  Cell& cell = (*cells_)[at];
  if (const Race race = against_write(cell); race.thread >= 0) return race;
  if (const Race race = against(cell.readers, *read_stamps_, at, AccessKind::read); race.thread >= 0)
    return race;
  if (has_changes_) {
    Group& changers = (*changers_)[at];
    if (const Race race = against(changers, *change_stamps_, at, AccessKind::atomic); race.thread >= 0)
      return race;
    changers = {};
  }
  // Whatever is not ordered after the reads is not ordered after this write, either.
  cell = {.written = clocks_.now(),
          .writer = static_cast<std::uint16_t>(thread_),
          .write_site = site,
          .readers = {}};
  return {};
}

Race WarpShadow::change(std::uint64_t at, unsigned size, SiteNumber site) {
  Cell& cell = (*cells_)[at];
  if (const Race race = against_write(cell); race.thread >= 0) return race;
  if (const Race race = against(cell.readers, *read_stamps_, at, AccessKind::read); race.thread >= 0)
    return race;
  note_unwritten(cell, size, site);
  join((*changers_)[at], *change_stamps_, at, site);
  has_changes_ = true;
  return {};
}

}  // namespace uotbench::trace
