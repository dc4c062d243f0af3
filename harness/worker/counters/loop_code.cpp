#include "harness/worker/counters/loop_code.hpp"

#include <cstring>

#include "harness/worker/counters/branch_code.hpp"

namespace uotbench {
namespace {

// Opcodes and their operands: Intel SDM vol. 2, appendix A.

const unsigned char* code_at(std::uintptr_t at) { return reinterpret_cast<const unsigned char*>(at); }

std::int64_t byte_at(const unsigned char* code) { return static_cast<std::int8_t>(*code); }

std::int64_t four_bytes_at(const unsigned char* code) {
  std::int32_t value = 0;
  std::memcpy(&value, code, sizeof value);
  return value;
}

unsigned middle_bits(unsigned char modrm) { return (modrm >> 3) & 7u; }

/// Anything but the instruction behind it may follow.
bool leads_away(const unsigned char* instruction) {
  if (branch_code(instruction).kind != BranchKind::none) return true;
  const unsigned char operation = *behind_prefixes(instruction);
  return operation == 0xe9 || operation == 0xeb || operation == 0xcc || operation == 0xcd;  // jmp, int
}

Successor jump(Successor::Kind kind, std::uintptr_t behind, std::int64_t distance) {
  return {.kind = kind, .to = behind + static_cast<std::uintptr_t>(distance), .behind = behind};
}

}  // namespace

Successor successor_of(std::uintptr_t at) {
  using enum Successor::Kind;
  const unsigned char* code = code_at(at);
  if ((code[0] & 0xf0) == 0x70) return jump(conditional, at + 2, byte_at(code + 1));
  if (code[0] == 0x0f && (code[1] & 0xf0) == 0x80) return jump(conditional, at + 6, four_bytes_at(code + 2));
  if (code[0] == 0xeb) return jump(always, at + 2, byte_at(code + 1));
  if (code[0] == 0xe9) return jump(always, at + 5, four_bytes_at(code + 1));
  return {.kind = leads_away(code) ? unknown : next};
}

std::optional<Added> added_by(std::uintptr_t at) {
  const unsigned char* code = code_at(at);
  const unsigned rex = (code[0] & 0xf0) == 0x40 ? *code++ : 0u;
  const unsigned char modrm = code[1];
  if (modrm >> 6 != 3) return std::nullopt;
  Added added{.to = (modrm & 7u) | (rex & 1 ? 8u : 0u), .wide = (rex & 8) != 0};
  const unsigned operation = middle_bits(modrm);
  constexpr unsigned add = 0, sub = 5, inc = 0, dec = 1;
  if (code[0] == 0xff && (operation == inc || operation == dec)) {
    added.value = operation == inc ? 1 : -1;
    return added;
  }
  if ((code[0] != 0x83 && code[0] != 0x81) || (operation != add && operation != sub)) return std::nullopt;
  added.value = code[0] == 0x83 ? byte_at(code + 2) : four_bytes_at(code + 2);
  if (operation == sub) added.value = -added.value;
  return added;
}

}  // namespace uotbench
