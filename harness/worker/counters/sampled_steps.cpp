#include "harness/worker/counters/sampled_steps.hpp"

#include <algorithm>
#include <unordered_map>

#include "results/record/counter.hpp"

namespace uotbench {

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
