#include "roofline/explain/hot_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "results/base/units.hpp"
#include "results/record/counter.hpp"
#include "results/record/counters.hpp"

namespace uotbench {
namespace {

/// The bytes that follow the start of the last instruction, whatever its length.
constexpr std::size_t bytes_of_last = 15;

std::vector<unsigned char> bytes_of(const std::string& hex) {
  std::vector<unsigned char> bytes(hex.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    std::from_chars(hex.data() + 2 * i, hex.data() + 2 * i + 2, bytes[i], 16);
  return bytes;
}

/// Whether the last instruction is a jump of x86 to the first byte: 70 to 7f or eb with a distance of one
/// byte, 0f 80 to 0f 8f or e9 with one of four, counted from the next instruction (Intel SDM vol. 2, Jcc).
bool jumps_to_its_start(const std::string& hex) {
  const auto bytes = bytes_of(hex);
  if (bytes.size() < bytes_of_last) return false;
  const std::size_t at = bytes.size() - bytes_of_last;
  const auto distance = [&](std::size_t from, std::size_t count) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value |= std::uint32_t{bytes[from + i]} << (8 * i);
    return count == 1 ? std::int64_t{static_cast<std::int8_t>(value)}
                      : std::int64_t{static_cast<std::int32_t>(value)};
  };
  const auto leads_back = [&](std::size_t opcode, std::size_t count) {
    return static_cast<std::int64_t>(at + opcode + count) + distance(at + opcode, count) == 0;
  };
  if ((bytes[at] & 0xf0) == 0x70 || bytes[at] == 0xeb) return leads_back(1, 1);
  if (bytes[at] == 0xe9) return leads_back(1, 4);
  return bytes[at] == 0x0f && (bytes[at + 1] & 0xf0) == 0x80 && leads_back(2, 4);
}

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
  block.loops = jumps_to_its_start(block.code);
  block.passes = line.value / static_cast<double>(block.instructions);
  return block;
}

/// For each line of the counter of blocks its index in code.blocks; absent: it is no block.
using BlockOfLine = std::vector<std::optional<std::size_t>>;

/// The parts of the call one after the other. What is no block in the record is left out.
void add_sequence(HotCode& code, const Record& record, const BlockOfLine& block_of_line) {
  constexpr std::size_t most = 100'000;  // several times what the counter has
  const auto counter = counter_of(record, counter_names::sequence);
  if (!counter || !counter->value) return;
  for (const auto& part : counter->lines) {
    const auto lines = block_sequence_from(part.at, most - code.sequence.size());
    if (!lines || std::ranges::any_of(*lines, [&](std::size_t i) { return i >= block_of_line.size(); })) {
      constexpr std::size_t shown = 40;
      code.sequence.clear();
      code.no_sequence = fmt::format("{}: expected numbers of blocks such as \"3 (0 1)*16\", got \"{}\"",
                                     counter_names::sequence, part.at.substr(0, shown));
      return;
    }
    for (const std::size_t line : *lines)
      if (const auto block = block_of_line[line]) code.sequence.push_back(*block);
  }
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
  BlockOfLine block_of_line;
  for (const auto& line : counter->lines) {
    auto& index = block_of_line.emplace_back();
    auto block = block_from(line);
    if (!block) continue;
    index = code.blocks.size();
    code.blocks.push_back(std::move(*block));
  }
  if (code.blocks.empty()) {
    reason = "the counter has no blocks";
    return std::nullopt;
  }
  add_sequence(code, record, block_of_line);
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

namespace {

std::map<std::string, double> shares_of(const Record& record, const char* name) {
  std::map<std::string, double> shares;
  const auto counter = counter_of(record, name);
  if (!counter || !counter->value || *counter->value <= 0) return shares;
  for (const auto& line : counter->lines) shares[line.at] = line.value / *counter->value;
  return shares;
}

}  // namespace

double share_in(const std::map<std::string, double>& shares, const std::string& at) {
  const auto found = shares.find(at);
  return found == shares.end() ? 0 : found->second;
}

HotLines hot_lines_of(const Record& record) {
  const auto counter = counter_of(record, counter_names::by_line);
  if (!counter) return {.reason = "its instructions were not counted by line (--counters functions)"};
  if (!counter->value) return {.reason = counter->reason};
  if (counter->lines.empty() || *counter->value <= 0) return {.reason = "the counter has no lines"};
  return {.lines = counter->lines,
          .instructions = *counter->value,
          .misses = shares_of(record, counter_names::misses_by_line),
          .fetched = shares_of(record, counter_names::reads_by_line),
          .source = text_of(counter->origin)};
}

Table table_of(const HotLines& hot) {
  constexpr double shown_share = 0.95, many_misses = 0.05;
  constexpr std::size_t most = 20;
  Table table{
      .title = "Source lines",
      .about = hot.known() ? fmt::format("Of {} instructions, without what a line calls ({}).",
                                         format_count(hot.instructions), hot.source)
                           : "Not known: " + hot.reason,
      .columns = {{"line"}, {"share", Table::Holds::numbers}, {"instructions", Table::Holds::numbers}}};
  if (!hot.misses.empty()) table.columns.push_back({"of L1 misses", Table::Holds::numbers});
  if (!hot.fetched.empty()) table.columns.push_back({"of lines from memory", Table::Holds::numbers});
  if (!hot.counted_of.empty()) table.notes.push_back("lines are those of " + hot.counted_of);
  double known = 0;
  for (const auto& line : hot.lines) {
    const double misses = share_in(hot.misses, line.at), fetched = share_in(hot.fetched, line.at);
    const bool enough = known >= shown_share * hot.instructions || table.rows.size() >= most;
    if (enough && misses < many_misses && fetched < many_misses) continue;
    known += line.value;
    Table::Row row{line.at, format_percent(line.value / hot.instructions), format_count(line.value)};
    if (!hot.misses.empty()) row.emplace_back(format_percent(misses));
    if (!hot.fetched.empty()) row.emplace_back(format_percent(fetched));
    table.row(std::move(row));
  }
  return table;
}

}  // namespace uotbench
