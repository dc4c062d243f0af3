#include "harness/worker/counters/branch_code.hpp"

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

}  // namespace uotbench
