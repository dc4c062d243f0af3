#include "harness/trace/threads/hierarchy.hpp"

#include <algorithm>
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

constexpr std::uint64_t bit(int core) { return std::uint64_t{1} << core; }

/// Words [first, last] of a line.
std::uint64_t words_between(std::uint64_t first, std::uint64_t last) {
  return (~std::uint64_t{0} << first) & (~std::uint64_t{0} >> (63 - last));
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

Hierarchy::Hierarchy(const Geometry& geometry, int cores)
    : cores_(cores),
      shift_(std::countr_zero(static_cast<unsigned>(geometry.l1.line))),
      false_sharing_(Sites::most) {
  if (cores < 1 || cores > 64)
    throw std::invalid_argument("caches of " + std::to_string(cores) + " cores; 1 to 64 can be simulated");
  const bool has_l3 = geometry.l3.bytes > 0;
  if (geometry.l2.line != geometry.l1.line || (has_l3 && geometry.l3.line != geometry.l1.line))
    throw std::invalid_argument("caches with lines of different lengths cannot be simulated");
  const int beside = has_l3 && geometry.cores_of_l3 > 0 ? geometry.cores_of_l3 : cores;
  if (has_l3)
    for (int core = 0; core < cores; core += beside) l3s_.push_back(std::make_unique<Cache>(geometry.l3));
  core_ = std::make_unique<Core*[]>(static_cast<std::size_t>(cores));
  for (int core = 0; core < cores; ++core) {
    const int part = core / beside;
    owners_.push_back(std::make_unique<Core>(geometry, part, has_l3 ? l3s_[part].get() : nullptr));
    core_[static_cast<std::size_t>(core)] = owners_.back().get();
  }
  if (cores == 1) return;
  directory_ = std::make_unique<Mapped<Line>>(1 << 16);
  written_ = std::make_unique<Mapped<std::uint64_t>>(1 << 12);
}

void Hierarchy::access_shared(int core, std::uint64_t address, unsigned size, bool write, unsigned site) {
  const std::uint64_t first = address >> shift_, last = (address + size - 1) >> shift_;
  const std::uint64_t inside = (std::uint64_t{1} << shift_) - 1;
  const std::uint64_t from = (address & inside) / 4, to = ((address + size - 1) & inside) / 4;
  if (first == last) return touch_shared(core, first, words_between(from, to), write, site);
  touch_shared(core, first, words_between(from, inside / 4), write, site);
  touch_shared(core, last, words_between(0, to), write, site);
}

void Hierarchy::touch_shared(int core, std::uint64_t line, std::uint64_t words, bool write, unsigned site) {
  if (!core_[static_cast<std::size_t>(core)]->l1.touch(line, write))
    miss<true>(core, line, words, write, site);
  if (write) claim(core, line, words);
}

template <bool shared>
void Hierarchy::miss(int core, std::uint64_t line, std::uint64_t words, bool write, unsigned site) {
  Core& own = *core_[static_cast<std::size_t>(core)];
  ++(write ? counts_.l1_write_misses : counts_.l1_read_misses);
  counts_.l1_scattered += own.into_l1.add(line);
  if constexpr (shared) classify(core, line, words, site);
  if (!own.l2.touch(line, false)) fetch<shared>(core, line, write);
  into_l1(own, line, write);
  if constexpr (shared) directory_->grown(line).holders |= bit(core);
}
template void Hierarchy::miss<false>(int, std::uint64_t, std::uint64_t, bool, unsigned);

template <bool shared>
void Hierarchy::fetch(int core, std::uint64_t line, bool write) {
  Core& own = *core_[static_cast<std::size_t>(core)];
  ++counts_.l2_misses;
  counts_.l2_scattered += own.into_l2.add(line);
  bool taken_over = false, crossed = false;
  if constexpr (shared)
    if (const int from = owner(core, line); from >= 0) {
      ++between_.transfers;
      crossed = core_[static_cast<std::size_t>(from)]->part != own.part;
      if (!write) share(from, line);
      taken_over = write;
    }
  if (!taken_over && !(own.l3 && own.l3->touch(line, false))) {
    if constexpr (shared) crossed = crossed || is_dirty_beside_others(own, line);
    if (!crossed) {
      ++counts_.l3_misses;
      counts_.l3_scattered += own.into_l3.add(line);
      ++counts_.dram_lines_read;
    }
    if (own.l3) into_l3(own, line, false);
  }
  if constexpr (shared) between_.crossings += crossed;
  into_l2(own, line, false);
}

void Hierarchy::into_l1(Core& core, std::uint64_t line, bool dirty) {
  const Cache::Victim victim = core.l1.insert(line, dirty);
  if (!victim.dirty) return;
  ++counts_.l1_write_backs;
  if (!core.l2.touch(victim.line, true)) into_l2(core, victim.line, true);
}

void Hierarchy::into_l2(Core& core, std::uint64_t line, bool dirty) {
  const Cache::Victim victim = core.l2.insert(line, dirty);
  if (!victim.dirty) return;
  write_back(core, victim.line);
}

void Hierarchy::write_back(Core& core, std::uint64_t line) {
  ++counts_.l2_write_backs;
  if (!core.l3)
    ++counts_.dram_lines_written;
  else if (!core.l3->touch(line, true))
    into_l3(core, line, true);
}

void Hierarchy::into_l3(Core& core, std::uint64_t line, bool dirty) {
  if (core.l3->insert(line, dirty).dirty) ++counts_.dram_lines_written;
  if (l3s_.size() > 1) directory_->grown(line).parts |= bit(core.part);
}

bool Hierarchy::is_dirty_beside_others(const Core& core, std::uint64_t line) {
  if (l3s_.size() < 2) return false;
  std::uint64_t others = directory_->grown(line).parts & ~bit(core.part);
  for (; others; others &= others - 1)
    if (l3s_[static_cast<std::size_t>(std::countr_zero(others))]->holds_dirty(line)) return true;
  return false;
}

// Torrellas, Lam, Hennessy 1994, section 2: a miss of a line that was taken away is of true sharing if the
// word was written by another core since, otherwise of false sharing.
void Hierarchy::classify(int core, std::uint64_t line, std::uint64_t words, unsigned site) {
  Line& known = directory_->grown(line);
  if (!(known.losers & bit(core))) return;
  known.losers &= ~bit(core);
  ++between_.sharing;
  if (written_since(known, core) & words) {
    ++counts_.true_sharing;
  } else {
    ++counts_.false_sharing;
    ++false_sharing_[site];
  }
}

int Hierarchy::owner(int core, std::uint64_t line) {
  std::uint64_t others = directory_->grown(line).holders & ~bit(core);
  for (; others; others &= others - 1) {
    const int other = std::countr_zero(others);
    const Core& its = *core_[static_cast<std::size_t>(other)];
    if (its.l1.holds_dirty(line) || its.l2.holds_dirty(line)) return other;
  }
  return -1;
}

void Hierarchy::share(int owner, std::uint64_t line) {
  Core& its = *core_[static_cast<std::size_t>(owner)];
  if (its.l1.clean(line)) ++counts_.l1_write_backs;
  its.l2.clean(line);
  write_back(its, line);
}

void Hierarchy::claim(int core, std::uint64_t line, std::uint64_t words) {
  Line& known = directory_->grown(line);
  for (std::uint64_t others = known.holders & ~bit(core); others; others &= others - 1) {
    const int other = std::countr_zero(others);
    Core& its = *core_[static_cast<std::size_t>(other)];
    const bool in_l1 = its.l1.remove(line), in_l2 = its.l2.remove(line);
    if (!in_l1 && !in_l2) continue;
    known.losers |= bit(other);
    written_since(known, other) = 0;
  }
  known.holders = bit(core);
  if (l3s_.size() > 1) {
    const std::uint64_t own = bit(core_[static_cast<std::size_t>(core)]->part);
    for (std::uint64_t parts = known.parts & ~own; parts; parts &= parts - 1)
      l3s_[static_cast<std::size_t>(std::countr_zero(parts))]->remove(line);
    known.parts &= own;
  }
  for (std::uint64_t losers = known.losers; losers; losers &= losers - 1)
    written_since(known, std::countr_zero(losers)) |= words;
}

std::uint64_t& Hierarchy::written_since(Line& line, int core) {
  if (line.written == 0) {
    line.written = 1 + losers_words_;
    losers_words_ += static_cast<std::uint64_t>(cores_);
  }
  return written_->grown(line.written - 1 + static_cast<std::uint64_t>(core));
}

Counts Hierarchy::counts() const {
  std::vector<std::uint64_t> dirty;
  const auto note = [&](std::uint64_t line) { dirty.push_back(line); };
  for (const auto& core : owners_) {
    core->l1.each_dirty(note);
    core->l2.each_dirty(note);
  }
  for (const auto& l3 : l3s_) l3->each_dirty(note);
  std::ranges::sort(dirty);
  const auto copies = std::ranges::unique(dirty);
  Counts counts = counts_;
  counts.dram_lines_written += dirty.size() - copies.size();
  return counts;
}

}  // namespace uotbench::trace
