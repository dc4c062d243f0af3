#include "harness/worker/counters/stepped_code.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <unordered_map>
#include <utility>

#include "results/record/counter.hpp"

namespace uotbench {

SteppedCode::SteppedCode(std::string object, std::uintptr_t base, std::uintptr_t begin, std::size_t bytes)
    : object_(std::move(object)), base_(base), begin_(begin), bytes_(bytes) {
  void* const pages = ::mmap(nullptr, bytes * sizeof(Stepped), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  steps_ = static_cast<Stepped*>(pages);
}

SteppedCode::~SteppedCode() {
  if (steps_) ::munmap(steps_, bytes_ * sizeof(Stepped));
}

SteppedCode::SteppedCode(SteppedCode&& other) noexcept
    : object_(std::move(other.object_)),
      base_(other.base_),
      begin_(other.begin_),
      bytes_(other.bytes_),
      entered_(other.entered_),
      steps_(std::exchange(other.steps_, nullptr)) {}

void SteppedCode::add_blocks(std::vector<SteppedBlock>& blocks) const {
  if (!entered_) return;
  for (std::uintptr_t at = 0; at < bytes_;) {
    if (steps_[at].count == 0) {
      ++at;
      continue;
    }
    std::vector<std::uintptr_t> starts{at};
    for (;;) {
      const std::uintptr_t last = starts.back(), next = next_after(last);
      if (steps_[last].jumps || next == 0 || steps_[next].jumped_to ||
          steps_[next].count != steps_[last].count)
        break;
      starts.push_back(next);
    }
    blocks.push_back(block_of(starts));
    at = starts.back() + 1;
  }
}

/// The next that was executed within the length of an instruction; 0: none.
std::uintptr_t SteppedCode::next_after(std::uintptr_t at) const {
  for (std::uintptr_t next = at + 1; next <= std::min(at + longest_instruction, bytes_ - 1); ++next)
    if (steps_[next].count > 0) return next;
  return 0;
}

SteppedBlock SteppedCode::block_of(const std::vector<std::uintptr_t>& starts) const {
  const auto* const code = reinterpret_cast<const unsigned char*>(begin_);
  std::string text =
      fmt::format("{}+{:#x}, {} instructions: ", object_, begin_ - base_ + starts.front(), starts.size());
  const std::uintptr_t end = std::min(starts.back() + longest_instruction, bytes_);
  for (std::uintptr_t at = starts.front(); at < end; ++at) text += fmt::format("{:02x}", code[at]);
  const double executed = static_cast<double>(starts.size() * steps_[starts.front()].count);
  return {
      .begin = begin_ + starts.front(), .instructions = starts.size(), .line = {std::move(text), executed}};
}

void SampledSteps::take(std::uintptr_t at) {
  const std::uint64_t step = taken_++;
  if (step < begin_) return;
  at_[whole_ * part_steps + filled_] = at;
  if (++filled_ == part_steps) end_part();
}

void SampledSteps::end_part() {
  filled_ = 0;
  if (++whole_ == most_parts) {
    for (std::size_t part = 1; 2 * part < most_parts; ++part)
      std::copy_n(at_.data() + 2 * part * part_steps, part_steps, at_.data() + part * part_steps);
    whole_ = most_parts / 2;
    spacing_ *= 2;
  }
  begin_ = whole_ * spacing_;
}

std::vector<std::span<const std::uintptr_t>> SampledSteps::parts() const {
  std::vector<std::span<const std::uintptr_t>> all;
  for (std::size_t part = 0; part < whole_; ++part)
    all.emplace_back(at_.data() + part * part_steps, part_steps);
  if (filled_ > 0) all.emplace_back(at_.data() + whole_ * part_steps, filled_);
  return all;
}

std::vector<CounterLine> sequence_lines(const SampledSteps& steps, const std::vector<SteppedBlock>& blocks) {
  std::unordered_map<std::uintptr_t, std::size_t> begins;
  for (std::size_t i = 0; i < blocks.size(); ++i) begins.emplace(blocks[i].begin, i);
  std::vector<CounterLine> lines;
  for (const auto& part : steps.parts()) {
    std::vector<std::size_t> executed;
    std::size_t instructions = 0;
    for (const std::uintptr_t at : part)
      if (const auto found = begins.find(at); found != begins.end()) {
        executed.push_back(found->second);
        instructions += blocks[found->second].instructions;
      }
    lines.push_back({block_sequence_text(executed), static_cast<double>(instructions)});
  }
  return lines;
}

}  // namespace uotbench
