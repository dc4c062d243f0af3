#include "results/base/hash.hpp"

#include <fmt/format.h>

namespace uotbench {

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace uotbench
