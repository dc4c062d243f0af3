// What a tensor core makes of the registers of a warp (layout: tensor.hpp).
#include "harness/simt/executor/scheduler.hpp"
#include "harness/simt/runtime/half.hpp"

namespace uotbench::simt {
namespace {

const Operands& operands_of(const Fiber& fiber) { return *reinterpret_cast<const Operands*>(fiber.value); }

/// Number `half` (0, 1) of a register of two bfloat16; the register as TF32, whose last 13 bits do not count.
double bf16_in(std::uint32_t bits, int half) {
  return bfloat16_value(static_cast<std::uint16_t>(bits >> 16 * half));
}
double tf32_in(std::uint32_t bits) { return __builtin_bit_cast(float, bits & ~0x1fffu); }

}  // namespace

void Scheduler::multiply(const Fiber* lanes) {
  const bool pairs = lanes[0].kind == Meeting::multiply_bf16;
  double A[16][16], B[16][8];
  for (int lane = 0; lane < 32; ++lane) {
    const Operands& its = operands_of(lanes[lane]);
    const int row = lane / 4, four = lane % 4;
    for (int part = 0; part < 4; ++part)
      for (int half = 0; half < (pairs ? 2 : 1); ++half) {
        const int k = pairs ? 2 * four + half + 8 * (part / 2) : four + 4 * (part / 2);
        const auto number = [&](std::uint32_t bits) { return pairs ? bf16_in(bits, half) : tf32_in(bits); };
        A[row + 8 * (part % 2)][k] = number(its.a[part]);
        if (part % 2 == 0) B[k][row] = number(its.b[part / 2]);
      }
  }
  for (int lane = 0; lane < 32; ++lane)
    for (int part = 0; part < 4; ++part) {
      float& c = operands_of(lanes[lane]).c[part];
      double sum = c;
      for (int k = 0; k < (pairs ? 16 : 8); ++k)
        sum += A[lane / 4 + 8 * (part / 2)][k] * B[k][2 * (lane % 4) + part % 2];
      c = static_cast<float>(sum);
    }
}

void multiply(Meeting kind, const Operands& operands, std::source_location where) {
  meet_warp(kind, 0xffffffffu, reinterpret_cast<std::uint64_t>(&operands), 0, 32, where);
}

}  // namespace uotbench::simt
