#include "roofline/explain/blocks.hpp"

#include <charconv>

#include "results/record/counters.hpp"

namespace uotbench {
namespace {

/// Of "OBJECT+0xADDRESS, N instructions: CODE"; absent for any other text.
std::optional<CodeBlock> block_from(const CounterLine& line) {
  const auto comma = line.at.find(", "), colon = line.at.find(" instructions: ");
  if (comma == std::string::npos || colon == std::string::npos || colon < comma) return std::nullopt;
  CodeBlock block{.at = line.at.substr(0, comma), .code = line.at.substr(colon + 15)};
  const std::string number = line.at.substr(comma + 2, colon - comma - 2);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), block.instructions);
  const bool hex = block.code.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (error != std::errc() || end != number.data() + number.size() || block.instructions == 0 || !hex ||
      block.code.size() % 2 != 0)
    return std::nullopt;
  block.passes = line.value / static_cast<double>(block.instructions);
  return block;
}

}  // namespace

double HotCode::share() const {
  double known = 0;
  for (const auto& block : blocks) known += block.passes * static_cast<double>(block.instructions);
  return instructions > 0 ? known / instructions : 0;
}

std::optional<HotCode> hot_code_of(const Record& record, std::string& reason) {
  const auto counter = counter_of(record, counter_names::by_block);
  if (!counter) {
    reason = "its instructions were not counted by block (--counters blocks)";
    return std::nullopt;
  }
  if (!counter->value) {
    reason = counter->reason;
    return std::nullopt;
  }
  HotCode code{.blocks = {}, .instructions = *counter->value, .source = text_of(counter->origin)};
  for (const auto& line : counter->lines)
    if (auto block = block_from(line)) code.blocks.push_back(std::move(*block));
  if (code.blocks.empty()) {
    reason = "the counter has no blocks";
    return std::nullopt;
  }
  return code;
}

std::vector<CodeBlock> largest_blocks(const HotCode& code, double share) {
  std::vector<CodeBlock> largest;
  double known = 0;
  for (const auto& block : code.blocks) {
    if (known >= share * code.instructions) break;
    known += block.passes * static_cast<double>(block.instructions);
    largest.push_back(block);
  }
  return largest;
}

}  // namespace uotbench
