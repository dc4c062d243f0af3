#include "harness/worker/counters/machine_code.hpp"

#include <cstring>

#include "harness/worker/counters/stepped_code.hpp"

namespace uotbench {
namespace {

/// Segments (26, 2e, 36, 3e, 64, 65), sizes (66, 67), bnd, rep and repne (f2, f3), REX (40 to 4f).
bool is_prefix(unsigned char byte) {
  switch (byte) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xf2:
    case 0xf3:
      return true;
    default:
      return (byte & 0xf0) == 0x40;
  }
}

/// By the operation in the second byte of group 5 (ff).
BranchKind kind_of_group_5(unsigned char modrm) {
  const int operation = (modrm >> 3) & 7;
  if (operation == 2 || operation == 3) return BranchKind::indirect_call;
  if (operation == 4 || operation == 5) return BranchKind::indirect_jump;
  return BranchKind::none;
}

}  // namespace

const unsigned char* behind_prefixes(const unsigned char* instruction) {
  const unsigned char* code = instruction;
  while (code < instruction + longest_instruction - 1 && is_prefix(*code)) ++code;
  return code;
}

BranchCode branch_code(const unsigned char* instruction) {
  const unsigned char* const code = behind_prefixes(instruction);
  const auto conditional = [&](int bytes) {
    return BranchCode{BranchKind::conditional, static_cast<std::uint8_t>(code - instruction + bytes)};
  };
  if ((code[0] & 0xf0) == 0x70) return conditional(2);                     // jcc, one byte of distance
  if ((code[0] & 0xfc) == 0xe0) return conditional(2);                     // loopne, loope, loop, jrcxz
  if (code[0] == 0x0f && (code[1] & 0xf0) == 0x80) return conditional(6);  // jcc, four bytes
  if (code[0] == 0xe8) return {.kind = BranchKind::direct_call};
  if (code[0] == 0xc3 || code[0] == 0xc2) return {.kind = BranchKind::ret};
  if (code[0] == 0xff) return {.kind = kind_of_group_5(code[1])};
  return {};
}

namespace {

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
