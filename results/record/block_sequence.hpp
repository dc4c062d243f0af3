// The order in which basic blocks were executed, as text. A block is the number of its line in the counter
// instructions.by_block, from 0.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uotbench {

/// "4 0*31 (5 6)*16": block 4, block 0 31 times, blocks 5 and 6 in turn 16 times.
std::string block_sequence_text(const std::vector<std::size_t>& blocks);

/// Absent: not such a text, or more than `most` blocks.
std::optional<std::vector<std::size_t>> block_sequence_from(std::string_view text, std::size_t most);

}  // namespace uotbench
