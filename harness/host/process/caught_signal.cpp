#include "harness/host/process/caught_signal.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "harness/host/process/files.hpp"

namespace uotbench {

bool catches(pid_t pid, int signal, const std::filesystem::path& root) {
  const std::string status = read_text(root / fmt::format("proc/{}/status", pid)).value_or("");
  const std::string key = "\nSigCgt:\t";
  const auto at = status.find(key);
  if (at == std::string::npos) return false;
  const std::uint64_t caught = std::strtoull(status.c_str() + at + key.size(), nullptr, 16);
  return (caught >> (signal - 1)) & 1;  // bit 0 is signal 1
}

}  // namespace uotbench
