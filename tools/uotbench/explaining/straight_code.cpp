#include "tools/uotbench/explaining/straight_code.hpp"

namespace uotbench {
namespace {

constexpr const char* jump = "jmp\t0";

bool calls_or_returns(const std::string& instruction) {
  return instruction.starts_with("call") || instruction.starts_with("ret");
}

}  // namespace

std::vector<std::string> straight_code(const std::vector<std::vector<std::string>>& listings,
                                       const std::vector<std::size_t>& sequence) {
  std::vector<std::string> straight;
  for (const std::size_t block : sequence)
    for (const auto& instruction : listings.at(block))
      straight.push_back(calls_or_returns(instruction) ? jump : instruction);
  return straight;
}

}  // namespace uotbench
