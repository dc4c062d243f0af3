#include "harness/host/findings/doctor.hpp"

#include <iterator>

#include "harness/host/findings/findings.hpp"

namespace uotbench {

std::vector<Finding> examine_host(const std::filesystem::path& root) {
  std::vector<Finding> all;
  for (const auto examine :
       {settings_findings, load_findings, memory_findings, counter_findings, software_findings}) {
    std::vector<Finding> part = examine(root);
    std::move(part.begin(), part.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace uotbench
