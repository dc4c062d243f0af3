#include "harness/worker/counters/stepped_loops.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "harness/worker/counters/stepped_code.hpp"

namespace uotbench {
namespace {

constexpr unsigned char breakpoint = 0xcc;  // int3

std::uintptr_t page_bytes() { return static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)); }

volatile unsigned char& byte_of_code(std::uintptr_t at) {
  return *reinterpret_cast<volatile unsigned char*>(at);
}

std::int64_t difference(std::uint64_t after, std::uint64_t before, bool wide) {
  return wide ? static_cast<std::int64_t>(after - before)
              : std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(after - before))};
}

}  // namespace

SteppedLoops::SteppedLoops() : loops_(most_loops) {}

SteppedLoops::~SteppedLoops() {
  stop_watching();
  for (std::size_t i = 0; i < pages_; ++i)
    ::mprotect(reinterpret_cast<void*>(writable_[i]), page_bytes(), PROT_READ | PROT_EXEC);
}

bool SteppedLoops::enter(std::uintptr_t at, const GeneralRegisters& registers) {
  if (at == last_) return false;  // a string instruction stops after each element
  follow(at, registers);
  const auto known =
      std::ranges::find_if(loops_, [&](const Loop& loop) { return loop.length > 0 && loop.path[0] == at; });
  if (known == loops_.end()) return false;
  watched_ = &*known;
  entered_ = registers;
  for (auto& exit : watched_->ways_out()) {
    exit.covered = byte_of_code(exit.at);
    byte_of_code(exit.at) = breakpoint;
  }
  return true;
}

void SteppedLoops::stop_watching() {
  if (!watched_) return;
  for (auto& exit : watched_->ways_out()) byte_of_code(exit.at) = exit.covered;
  watched_ = nullptr;
}

std::optional<std::uint64_t> SteppedLoops::leave(std::uintptr_t at, const GeneralRegisters& registers) {
  Loop& loop = *watched_;
  stop_watching();
  const auto exits = loop.ways_out();
  const auto exit = std::ranges::find(exits, at, &Exit::at);
  if (exit == exits.end()) return std::nullopt;
  left_ = &loop;
  last_ = loop.path[exit->from];
  length_ = length_before_ = 0;
  std::optional<std::int64_t> passes;
  for (std::size_t i = 0; i < loop.counters; ++i) {
    const Counter& counter = loop.counter[i];
    const std::int64_t changed =
        difference(registers[counter.number], entered_[counter.number], counter.wide) -
        added_in(loop, counter.number, exit->from).step;
    const std::int64_t whole = changed / counter.step;
    if (changed % counter.step != 0 || whole < 0 || (passes && *passes != whole)) return std::nullopt;
    passes = whole;
  }
  return static_cast<std::uint64_t>(*passes) * loop.length + exit->from + 1;
}

void SteppedLoops::follow(std::uintptr_t at, const GeneralRegisters& registers) {
  const bool back = at < last_;
  last_ = at;
  if (!back) {
    if (length_ == most_instructions) length_ = 0;
    if (length_ > 0) way_[length_++] = at;
    return;
  }
  const bool again = length_ > 0 && way_[0] == at;
  if (again && length_before_ == length_ &&
      std::equal(way_.begin(), way_.begin() + length_, way_before_.begin()))
    learn(registers);
  length_before_ = again ? length_ : 0;
  if (again) std::copy_n(way_.begin(), length_, way_before_.begin());
  begin_before_ = begin_;
  begin_ = registers;
  way_[0] = at;
  length_ = 1;
}

void SteppedLoops::learn(const GeneralRegisters& registers) {
  Loop& loop = loops_[next_];
  loop.length = 0;
  std::copy_n(way_.begin(), length_, loop.path.begin());
  if (!find_exits(loop) || !find_counters(loop, registers)) return;
  for (const auto& exit : loop.ways_out())
    if (!make_writable(exit.at)) return;
  loop.length = length_;
  next_ = (next_ + 1) % most_loops;
}

/// False: it may be left in a way that is not known.
bool SteppedLoops::find_exits(Loop& loop) const {
  const std::span<const std::uintptr_t> path(loop.path.data(), length_);
  loop.exits = 0;
  for (std::size_t i = 0; i < length_; ++i) {
    const std::uintptr_t after = path[(i + 1) % length_];
    const Successor successor = successor_of(path[i]);
    switch (successor.kind) {
      case Successor::Kind::unknown:
        return false;
      case Successor::Kind::next:
        if (after <= path[i] || after - path[i] > longest_instruction) return false;
        break;
      case Successor::Kind::always:
        if (after != successor.to) return false;
        break;
      case Successor::Kind::conditional: {
        if (after != successor.to && after != successor.behind) return false;
        const std::uintptr_t out = after == successor.to ? successor.behind : successor.to;
        const auto known = loop.ways_out();
        // Two jumps to one place: the place would not say how far the last pass came.
        if (loop.exits == most_exits || std::ranges::find(path, out) != path.end() ||
            std::ranges::find(known, out, &Exit::at) != known.end())
          return false;
        loop.exit[loop.exits++] = {.at = out, .from = i};
      }
    }
  }
  return loop.exits > 0;
}

SteppedLoops::Counter SteppedLoops::added_in(const Loop& loop, std::size_t number, std::size_t end) {
  Counter sum{.number = number};
  for (std::size_t i = 0; i < end; ++i)
    if (const auto added = added_by(loop.path[i]); added && added->to == number) {
      sum.step += added->value;
      sum.wide = added->wide;
    }
  return sum;
}

/// Registers that both passes changed by what the path adds to them. False: there is none.
bool SteppedLoops::find_counters(Loop& loop, const GeneralRegisters& registers) const {
  loop.counters = 0;
  for (std::size_t number = 0; number < registers.size(); ++number) {
    const Counter counter = added_in(loop, number, length_);
    if (counter.step != 0 && difference(registers[number], begin_[number], counter.wide) == counter.step &&
        difference(begin_[number], begin_before_[number], counter.wide) == counter.step)
      loop.counter[loop.counters++] = counter;
  }
  return loop.counters > 0;
}

bool SteppedLoops::make_writable(std::uintptr_t at) {
  const std::uintptr_t page = at / page_bytes() * page_bytes();
  const auto end = writable_.begin() + pages_;
  if (std::find(writable_.begin(), end, page) != end) return true;
  if (pages_ == most_pages ||
      ::mprotect(reinterpret_cast<void*>(page), page_bytes(), PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return false;
  writable_[pages_++] = page;
  return true;
}

}  // namespace uotbench
