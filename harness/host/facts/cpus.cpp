#include "harness/host/facts/cpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>
#include <string_view>

#include "harness/host/facts/cpu_order.hpp"
#include "harness/host/process/affinity.hpp"

namespace uotbench {
namespace {

int parse_cpu(std::string_view digits, const std::string& whole) {
  int cpu = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), cpu);
  if (error != std::errc{} || end != digits.data() + digits.size() || cpu < 0 || cpu >= most_cpus)
    throw std::invalid_argument(
        fmt::format("bad CPU list \"{}\": \"{}\" is no CPU number; write numbers and ranges such as 0-3,8",
                    whole, digits));
  return cpu;
}

}  // namespace

std::vector<int> usable_cpus() {
  const std::set<int> allowed = cpus_of(0);
  if (allowed.empty()) throw std::runtime_error("the system does not report which CPUs this process may use");
  std::vector<int> cpus = ordered_cpus(this_topology(), allowed);
  // Some sandboxes hide /sys: the mask alone is then all that is known.
  return cpus.empty() ? std::vector<int>(allowed.begin(), allowed.end()) : cpus;
}

std::vector<int> spread_out(const std::vector<int>& cpus) { return spread_cpus(this_topology(), cpus); }

std::vector<int> parse_cpu_list(const std::string& text) {
  std::vector<int> cpus;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const std::size_t dash = part.find('-');
    const int first = parse_cpu(part.substr(0, dash), text);
    const int last = dash == std::string_view::npos ? first : parse_cpu(part.substr(dash + 1), text);
    if (last < first)
      throw std::invalid_argument(
          fmt::format("bad CPU list \"{}\": the range {} runs backwards", text, part));
    for (int cpu = first; cpu <= last; ++cpu) {
      if (std::ranges::find(cpus, cpu) != cpus.end())
        throw std::invalid_argument(fmt::format("bad CPU list \"{}\": CPU {} is listed twice", text, cpu));
      cpus.push_back(cpu);
    }
    if (comma == std::string_view::npos) return cpus;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace uotbench
