#include "harness/host/facts/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "harness/host/facts/usable.hpp"
#include "harness/host/process/files.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

// The kernel's Documentation/ABI/{stable,testing}/sysfs-devices-system-cpu says what these files hold.

namespace fs = std::filesystem;

std::vector<int> cpu_list(const fs::path& file) {
  const auto text = read_text(file);
  if (!text) return {};
  try {
    return parse_cpu_list(*text);
  } catch (const std::invalid_argument&) {
    return {};  // no list: nothing is told
  }
}

/// A group is named by its first CPU; -1 where the file tells none.
int group(const fs::path& file) {
  const std::vector<int> cpus = cpu_list(file);
  return cpus.empty() ? -1 : *std::ranges::min_element(cpus);
}

int whole(const fs::path& file, int otherwise) {
  return static_cast<int>(read_number(file).value_or(otherwise));
}

/// "32768K"
std::uint64_t bytes_in(const std::string& text) {
  const std::string unit = text.substr(std::min(text.find_first_not_of("0123456789"), text.size()));
  const double factor = unit == "K" ? 1024. : unit == "M" ? 1024. * 1024 : unit.empty() ? 1. : 0.;
  return factor == 0 || text == unit ? 0 : static_cast<std::uint64_t>(std::stod(text) * factor);
}

std::vector<fs::path> numbered_folders(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && name.size() > prefix.size() &&
        name.find_first_not_of("0123456789", prefix.size()) == std::string::npos)
      found.push_back(entry.path());
  }
  return found;
}

/// Arm tells a capacity; Intel's hybrids have a folder for each kind of core.
int speed_of(const fs::path& folder, int cpu, const std::vector<int>& slow) {
  if (const int capacity = whole(folder / "cpu_capacity", 0); capacity > 0) return capacity;
  return !slow.empty() && std::ranges::find(slow, cpu) == slow.end() ? 1 : 0;
}

constexpr const char* example = "L1D=32KiB/8,L2=1MiB/8,L3=32MiB/16";

/// Digits at the front of `text`, which are taken off; 0 where there are none.
std::uint64_t leading_number(std::string_view& text) {
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return 0;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// "32KiB/8" or "32KiB/8/64"; of a cache that cores share, "32MiB/16@8", too.
CacheShape parse_shape(std::string_view text, bool shared) {
  CacheShape shape{.bytes = leading_number(text)};
  for (const auto& [unit, shift] : {std::pair("KiB", 10), std::pair("MiB", 20), std::pair("GiB", 30)})
    if (take(text, unit)) {
      shape.bytes = shape.bytes >> (63 - shift) ? 0 : shape.bytes << shift;
      break;
    }
  if (!take(text, "/")) return {};
  const std::uint64_t ways = leading_number(text), line = take(text, "/") ? leading_number(text) : 64;
  if (shared && take(text, "@")) {
    const std::uint64_t cores = leading_number(text);
    if (cores == 0 || cores > 1024) return {};
    shape.cores = static_cast<int>(cores);
  }
  if (!text.empty() || ways == 0 || ways > 1024 || line < 8 || line > 4096 || !std::has_single_bit(line))
    return {};
  shape.ways = static_cast<int>(ways);
  shape.line = static_cast<int>(line);
  // A cache of one line is none, and valgrind refuses it.
  const bool whole_sets = shape.bytes > line && shape.bytes % (ways * line) == 0;
  return whole_sets && shape.bytes <= std::uint64_t{1} << 40 ? shape : CacheShape{};
}

constexpr double mebi = 1 << 20;
constexpr double most_a_core = 48 * mebi, most_a_virtual_core = 16 * mebi;

int number_at(const Json& json, const char* key, int otherwise) {
  const auto found = json.find(key);
  return found == json.end() ? otherwise : whole_number<int>(*found).value_or(otherwise);
}

}  // namespace

const Topology& this_topology() {
#if UOTBENCH_WITH_HWLOC
  static const Topology topology = topology_from_hwloc();
#else
  static const Topology topology = topology_from_sys();
#endif
  return topology;
}

Topology topology_from_sys(const fs::path& root) {
  const fs::path cpus = root / "sys/devices/system/cpu";
  const std::vector<int> slow = cpu_list(root / "sys/devices/cpu_atom/cpus");
  Topology topology;
  std::map<int, int> node_of;
  for (const fs::path& node : numbered_folders(root / "sys/devices/system/node", "node")) {
    ++topology.numa_nodes;
    for (const int cpu : cpu_list(node / "cpulist"))
      node_of[cpu] = std::stoi(node.filename().string().substr(4));
  }
  std::set<std::tuple<int, bool, int>> seen;  // a cache is the CPUs that share it: level, data, first of them
  for (const int number : cpu_list(cpus / "online")) {
    const fs::path folder = cpus / ("cpu" + std::to_string(number));
    // Its older name is the only one on kernels before 5.3.
    int core = group(folder / "topology/core_cpus_list");
    if (core < 0) core = group(folder / "topology/thread_siblings_list");
    Cpu cpu{.number = number,
            .core = core < 0 ? number : core,
            .die = group(folder / "topology/die_cpus_list"),
            .package = whole(folder / "topology/physical_package_id", -1),
            .speed = speed_of(folder, number, slow)};
    if (const auto node = node_of.find(number); node != node_of.end()) cpu.node = node->second;
    int last_level = 0;
    for (const fs::path& file : numbered_folders(folder / "cache", "index")) {
      const std::string type = read_text(file / "type").value_or("");
      const std::vector<int> sharing = cpu_list(file / "shared_cpu_list");
      if ((type != "Data" && type != "Unified") || sharing.empty()) continue;
      const int level = whole(file / "level", 0), first = *std::ranges::min_element(sharing);
      if (level > last_level) {
        last_level = level;
        cpu.cache = first;
      }
      if (seen.emplace(level, type == "Data", first).second)
        ++topology.caches[{.level = level,
                           .data = type == "Data",
                           .bytes = bytes_in(read_text(file / "size").value_or("")),
                           .shared_by = static_cast<int>(sharing.size()),
                           .ways = whole(file / "ways_of_associativity", 0),
                           .line = whole(file / "coherency_line_size", 0)}];
    }
    topology.cpus.push_back(cpu);
  }
  std::ranges::sort(topology.cpus, {}, [](const Cpu& cpu) {
    return std::tuple(cpu.package, cpu.die, cpu.node, cpu.cache, cpu.core, cpu.number);
  });
  return topology;
}

CacheShapes cache_shapes(const Topology& topology) {
  CacheShapes shapes;
  const std::array<std::pair<int, CacheShape*>, 3> levels{
      {{1, &shapes.l1}, {2, &shapes.l2}, {3, &shapes.l3}}};
  for (const auto& [level, shape] : levels) {
    int most = 0;
    for (const auto& [cache, count] : topology.caches)
      if (cache.level == level && count >= most) {
        most = count;
        *shape = {.bytes = cache.bytes, .ways = cache.ways, .line = cache.line};
      }
    if (most == 0 && level == 3) continue;
    if (shape->bytes == 0 || shape->ways <= 0 || shape->line <= 0 || !shapes.obstacle.empty())
      shapes.obstacle = fmt::format(
          "this machine does not report the size and associativity of its caches; give --caches {}", example);
  }
  return shapes;
}

CacheShapes parse_cache_shapes(const std::string& text) {
  CacheShapes shapes;
  std::array<std::pair<std::string_view, CacheShape*>, 3> levels{
      {{"L1D=", &shapes.l1}, {"L2=", &shapes.l2}, {"L3=", &shapes.l3}}};
  std::string_view rest = text;
  bool right = true;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto comma = i + 1 < levels.size() ? rest.find(',') : rest.size();
    std::string_view part = rest.substr(0, comma);
    rest.remove_prefix(std::min(rest.size(), comma == std::string_view::npos ? rest.size() : comma + 1));
    right = right && take(part, levels[i].first);
    if (right) *levels[i].second = parse_shape(part, levels[i].second == &shapes.l3);
    right = right && levels[i].second->bytes > 0;
  }
  if (!right || shapes.l1.line != shapes.l2.line || shapes.l2.line != shapes.l3.line)
    throw std::invalid_argument(fmt::format(
        "expected bytes and ways of all three, whole sets of lines of one size, as in {}, got \"{}\"",
        example, text));
  return shapes;
}

std::string valgrind_shape(const CacheShape& shape) {
  const std::uint64_t row = static_cast<std::uint64_t>(shape.ways) * static_cast<std::uint64_t>(shape.line);
  if (row == 0) return "0,0,0";
  const double sets = static_cast<double>(shape.bytes) / static_cast<double>(row);
  const auto exponent = static_cast<int>(std::lround(std::log2(std::max(sets, 1.0))));
  return fmt::format("{},{},{}", (std::uint64_t{1} << exponent) * row, shape.ways, shape.line);
}

std::vector<DoubtfulCache> doubtful_caches(const Json& hashed) {
  std::vector<DoubtfulCache> doubtful;
  if (!hashed.is_object() || !hashed.contains("caches") || !hashed["caches"].is_array()) return doubtful;
  const int cpus = std::max(1, number_at(hashed, "logical_cpus", 1));
  const int cores = std::clamp(number_at(hashed, "physical_cores", cpus), 1, cpus);
  const bool is_virtual = hashed.contains("hypervisor") && hashed["hypervisor"].is_string();
  for (const auto& cache : hashed["caches"]) {
    if (!cache.is_object() || !cache.contains("bytes") || !cache["bytes"].is_number()) continue;
    const double bytes = cache["bytes"].get<double>();
    const int sharing = std::max(1, number_at(cache, "shared_by", 1) * cores / cpus);
    if (bytes / sharing <= (is_virtual ? most_a_virtual_core : most_a_core)) continue;
    doubtful.push_back(
        {.level = number_at(cache, "level", 0),
         .bytes = bytes,
         .why = fmt::format("{:.0f} MiB for {} core{}{}", bytes / mebi, sharing, sharing == 1 ? "" : "s",
                            is_virtual ? ": reported by the hypervisor; the cache is shared with other guests"
                                       : ", more than any processor has")});
  }
  return doubtful;
}

}  // namespace uotbench
